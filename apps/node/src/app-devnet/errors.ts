import { CodedError } from '@org/runtime/errors'

/** The codes of {@link AppError}. */
export const APP_ERRORS = {
  /** The file of the application does not exist, or cannot be read. */
  missing: 'DEVNET_APP_MISSING',
  /** A file has invalid syntax, or TypeScript syntax that is more than types, such as an enum. */
  syntax: 'DEVNET_APP_SYNTAX',
  /** A file imports a file or a package that does not exist. */
  importMissing: 'DEVNET_APP_IMPORT',
  /** The file exports nothing that can be an application. */
  noExport: 'DEVNET_APP_NO_EXPORT',
  /** The code of the file, or the function that makes the application, threw an error. */
  threw: 'DEVNET_APP_THREW',
  /**
   * The application and the stored chain have different app hashes, because another version of the application made the
   * chain.
   */
  otherHash: 'DEVNET_APP_OTHER_HASH',
  /** Code of the application ran without an end, and was interrupted. */
  endless: 'DEVNET_APP_ENDLESS',
  /** The system cannot watch files. */
  watch: 'DEVNET_APP_WATCH',
} as const

export class AppError extends CodedError<(typeof APP_ERRORS)[keyof typeof APP_ERRORS]> {}
