import { CodedError } from '@org/runtime/errors'

/** The codes of {@link AddressBookError}. */
export const BOOK_ERRORS = { file: 'ADDRESS_BOOK_FILE' } as const

/** An error about an address book file that cannot be read or written. */
export class AddressBookError extends CodedError<(typeof BOOK_ERRORS)[keyof typeof BOOK_ERRORS]> {}
