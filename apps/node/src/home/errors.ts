import { CodedError } from '@org/runtime/errors'

/** The codes of {@link HomeError}. */
export const HOME_ERRORS = {
  locked: 'HOME_LOCKED',
  missing: 'HOME_FILE_MISSING',
  exists: 'HOME_FILE_EXISTS',
  corrupt: 'HOME_FILE_CORRUPT',
  unreadable: 'HOME_FILE_UNREADABLE',
  unwritable: 'HOME_UNWRITABLE',
  noStore: 'HOME_NO_STORE',
  /** The command `devnet` refuses a home that has no config.toml, but files that `devnet` did not make. */
  foreign: 'HOME_FOREIGN',
} as const

/** An error about a file of the home. `data.file` names the file. */
export class HomeError extends CodedError<(typeof HOME_ERRORS)[keyof typeof HOME_ERRORS]> {}
