import { CodedError } from '@org/runtime/errors'

export const CLI_ERRORS = {
  usage: 'CLI_USAGE',
  notBuilt: 'CLI_NOT_BUILT',
  genesisHash: 'CLI_GENESIS_HASH',
  addressInUse: 'CLI_ADDRESS_IN_USE',
  noSeeds: 'CLI_NO_SEEDS',
} as const

export class CliError extends CodedError<(typeof CLI_ERRORS)[keyof typeof CLI_ERRORS]> {}
