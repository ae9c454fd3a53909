import { CodedError } from '@org/runtime/errors'

export const STORE_ERRORS = {
  /** The database or one of its values cannot be read. */
  corrupt: 'STORE_CORRUPT',
  /** Another process, or this process, has the database open. */
  locked: 'STORE_LOCKED',
  /** The database is missing, and the caller did not allow creating it. */
  missing: 'STORE_MISSING',
  /** The device has no space left. */
  full: 'STORE_FULL',
  /** The file system does not allow writing. */
  readOnly: 'STORE_READ_ONLY',
  /** The permissions of the database's files do not allow this user to read or write them. */
  denied: 'STORE_PERMISSION_DENIED',
  closed: 'STORE_CLOSED',
  io: 'STORE_IO',
  /** A height (or another key) has no entry. */
  notFound: 'STORE_NOT_FOUND',
  /** The request to store or remove would break a rule of the store. */
  invalid: 'STORE_INVALID',
  /** Too many requests of this kind are running. */
  busy: 'STORE_BUSY',
  /** The node is configured not to store it. */
  notPersisted: 'STORE_NOT_PERSISTED',
} as const

export type StoreErrorCode = (typeof STORE_ERRORS)[keyof typeof STORE_ERRORS]

/** A failure of a database or of one of its entries. `data` names the database, the key or the height. */
export class StoreError extends CodedError<StoreErrorCode> {}
