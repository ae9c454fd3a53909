import { CodedError } from '@org/runtime/errors'

/** Text of a person that is not what the page asked for. The message says what is expected. */
export class InputError extends CodedError<'EXPLORER_INPUT'> {
  constructor(message: string) {
    super('EXPLORER_INPUT', message)
  }
}
