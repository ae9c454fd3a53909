import { CodedError } from '@org/runtime/errors'

/** The codes of {@link KvStoreError}. */
export const KVSTORE_ERRORS = {
  /** The state was made under other rules for transactions than the rules that the application is started with. */
  otherRules: 'KVSTORE_OTHER_RULES',
  /** The state on disk cannot be read by this version of the application. */
  badState: 'KVSTORE_BAD_STATE',
  /** Another process has the database open. */
  locked: 'KVSTORE_LOCKED',
  /** The database cannot be opened. */
  open: 'KVSTORE_OPEN',
  /** The database is closed or is being closed, so it cannot be read or written. */
  closed: 'KVSTORE_CLOSED',
  /** A snapshot has more data than a state in memory can hold. */
  tooLarge: 'KVSTORE_TOO_LARGE',
  /** The content of a snapshot is not a state, or is not the announced state. */
  badSnapshot: 'KVSTORE_BAD_SNAPSHOT',
  /** A block contains a transaction that every proposer should have refused. */
  badTransaction: 'KVSTORE_BAD_TRANSACTION',
  /** A block reports misbehaviour of a validator that is not in the state. */
  unknownValidator: 'KVSTORE_UNKNOWN_VALIDATOR',
} as const

/** A code of {@link KvStoreError}. */
export type KvStoreErrorCode = (typeof KVSTORE_ERRORS)[keyof typeof KVSTORE_ERRORS]

/** The error of the key-value store. Its code is one of {@link KVSTORE_ERRORS}. */
export class KvStoreError extends CodedError<KvStoreErrorCode> {}

export const badSnapshot = (reason: string): KvStoreError => new KvStoreError(KVSTORE_ERRORS.badSnapshot, reason)
