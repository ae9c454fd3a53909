import { CodedError } from '@org/runtime/errors'

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

export type CreateErrorCode = (typeof CREATE_ERRORS)[keyof typeof CREATE_ERRORS]

export class CreateError extends CodedError<CreateErrorCode> {}
