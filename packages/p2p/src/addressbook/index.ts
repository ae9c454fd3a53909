export { type AddressBook, type AddressBookOptions, type BookContents, createAddressBook } from './address-book.ts'
export { AddressBookError, BOOK_ERRORS } from './errors.ts'
export type { KnownAddress } from './known-address.ts'
export { addressBookText, parseAddressBook } from './text.ts'
