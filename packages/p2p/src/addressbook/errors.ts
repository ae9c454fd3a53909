import { CodedError } from '@org/runtime/errors'

export const BOOK_ERRORS = { file: 'ADDRESS_BOOK_FILE' } as const

/** An address book file that cannot be read or written. */
export class AddressBookError extends CodedError<(typeof BOOK_ERRORS)[keyof typeof BOOK_ERRORS]> {}
