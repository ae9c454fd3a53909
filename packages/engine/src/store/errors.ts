import { CodedError } from '@org/runtime/errors'

/** The codes of {@link StoreError}. */
export const STORE_ERRORS = {
  /** The database cannot be read, or one of its values cannot be decoded. */
  corrupt: 'STORE_CORRUPT',
  /** The database is open already, in another process or in this process. */
  locked: 'STORE_LOCKED',
  /** The database does not exist, and the caller did not allow creating it. */
  missing: 'STORE_MISSING',
  /** The disk has no space left. */
  full: 'STORE_FULL',
  /** The file system does not allow writing. */
  readOnly: 'STORE_READ_ONLY',
  /** The permissions of the database's files do not allow this user to read or write them. */
  denied: 'STORE_PERMISSION_DENIED',
  closed: 'STORE_CLOSED',
  io: 'STORE_IO',
  /** The store has no entry for a height or another key. */
  notFound: 'STORE_NOT_FOUND',
  /** A request to store or remove data would break a rule of the store. */
  invalid: 'STORE_INVALID',
  /** Too many requests for the validator sets of old heights wait already. */
  busy: 'STORE_BUSY',
  /** The node is configured not to store the requested data. */
  notPersisted: 'STORE_NOT_PERSISTED',
} as const

/** A code of {@link StoreError}. */
export type StoreErrorCode = (typeof STORE_ERRORS)[keyof typeof STORE_ERRORS]

/** An error of a database or of one of its entries. `data` contains the path of the database, the key or the height. */
export class StoreError extends CodedError<StoreErrorCode> {}
