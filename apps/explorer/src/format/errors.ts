import { CodedError } from '@org/runtime/errors'

/** The error for a text of the user that the page cannot use. The message says what is expected. */
export class InputError extends CodedError<'EXPLORER_INPUT'> {
  constructor(message: string) {
    super('EXPLORER_INPUT', message)
  }
}
