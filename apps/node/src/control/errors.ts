import { CodedError } from '@org/runtime/errors'

/** The codes of {@link ControlError}. */
export const CONTROL_ERRORS = {
  /** The validator's key of the home has signed blocks, and a devnet would sign other blocks of the same heights. */
  keyWasUsed: 'DEVNET_KEY_WAS_USED',
  /** The command of `--app-restart` failed. */
  restartCommand: 'DEVNET_RESTART_COMMAND',
  /** A file of `--load` or `--dump` cannot be read or written. */
  dumpFile: 'DEVNET_DUMP_FILE',
  /** The folder is not the home of a stopped node. */
  forkNoHome: 'DEVNET_FORK_NO_HOME',
  /** The databases of a home are larger than a chain in memory may be. */
  forkTooLarge: 'DEVNET_FORK_TOO_LARGE',
} as const

export class ControlError extends CodedError<(typeof CONTROL_ERRORS)[keyof typeof CONTROL_ERRORS]> {}
