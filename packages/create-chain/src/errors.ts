import { CodedError } from '@org/runtime/errors'

export const CREATE_ERRORS = {
  /** A flag is unknown, or its value is invalid. */
  flag: 'CREATE_BAD_FLAG',
  /** The name is not the name of a folder and of an npm package. */
  name: 'CREATE_BAD_NAME',
  /** The folder exists and is not empty. */
  folder: 'CREATE_FOLDER_EXISTS',
  /** npm could not install the packages. */
  install: 'CREATE_INSTALL_FAILED',
} as const

export type CreateErrorCode = (typeof CREATE_ERRORS)[keyof typeof CREATE_ERRORS]

export class CreateError extends CodedError<CreateErrorCode> {}
