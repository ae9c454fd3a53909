import { CodedError } from '@org/runtime/errors'

export const STORE_ERRORS = {
  /** The database or one of its values cannot be read. */
  corrupt: 'STORE_CORRUPT',
  /** Another process, or this one, has the database open. */
  locked: 'STORE_LOCKED',
  /** There is no database, and it was not to be made. */
  missing: 'STORE_MISSING',
  /** No space left on the device. */
  full: 'STORE_FULL',
  /** The file system or the permissions do not let us write. */
  readOnly: 'STORE_READ_ONLY',
  closed: 'STORE_CLOSED',
  io: 'STORE_IO',
  /** A height (or another key) has no entry. */
  notFound: 'STORE_NOT_FOUND',
  /** The caller asks for something that must not be stored or removed. */
  invalid: 'STORE_INVALID',
  /** Too much of this kind is asked for at the same time. */
  busy: 'STORE_BUSY',
  /** The node is configured not to keep it. */
  notPersisted: 'STORE_NOT_PERSISTED',
} as const

export type StoreErrorCode = (typeof STORE_ERRORS)[keyof typeof STORE_ERRORS]

/** A failure of a database or of what is kept in it. `data` names the database, the key or the height. */
export class StoreError extends CodedError<StoreErrorCode> {}
