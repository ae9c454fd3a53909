import { CodedError } from '@org/runtime/errors'

/** The codes of {@link CreateError}. */
export const CREATE_ERRORS = {
  /** A flag is unknown, or its value is invalid. */
  flag: 'CREATE_BAD_FLAG',
  /** The name of the folder cannot be the name of an npm package. */
  name: 'CREATE_BAD_NAME',
  /** The folder exists and is not empty. */
  folder: 'CREATE_FOLDER_EXISTS',
  /** npm could not install the packages. */
  install: 'CREATE_INSTALL_FAILED',
} as const

/** A code of {@link CreateError}. */
export type CreateErrorCode = (typeof CREATE_ERRORS)[keyof typeof CREATE_ERRORS]

/** The error of a new project that could not be created. Its code is one of {@link CREATE_ERRORS}. */
export class CreateError extends CodedError<CreateErrorCode> {}
