import { CodedError } from '@org/runtime/errors'

/** The codes of {@link CliError}. */
export const CLI_ERRORS = {
  usage: 'CLI_USAGE',
  notBuilt: 'CLI_NOT_BUILT',
  genesisHash: 'CLI_GENESIS_HASH',
  addressInUse: 'CLI_ADDRESS_IN_USE',
  noSeeds: 'CLI_NO_SEEDS',
  /** Another node did not answer a request of a command. */
  nodeUnreachable: 'CLI_NODE_UNREACHABLE',
  /** Another node sent an answer that no honest node sends. */
  wrongAnswer: 'CLI_WRONG_ANSWER',
  /** Another node has no block yet, or is catching up. */
  nodeBehind: 'CLI_NODE_BEHIND',
  noSuchHeight: 'CLI_NO_SUCH_HEIGHT',
  nodesDisagree: 'CLI_NODES_DISAGREE',
} as const

export class CliError extends CodedError<(typeof CLI_ERRORS)[keyof typeof CLI_ERRORS]> {}
