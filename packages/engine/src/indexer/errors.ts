import { CodedError } from '@org/runtime/errors'

export const INDEX_ERRORS = {
  /** `tx_index.indexer` is `null`. */
  disabled: 'INDEX_DISABLED',
  /** A query or request with a transaction hash that is not valid. */
  hash: 'INDEX_HASH_INVALID',
  corrupt: 'INDEX_CORRUPT',
  /** The last block was published but could not be indexed: consensus halts. */
  unwritten: 'INDEX_UNWRITTEN',
  /** A search that looked at more keys than `scanBudget` allows. */
  scanBudget: 'INDEX_SCAN_BUDGET',
  /** Refuses a search because too many others are waiting. */
  busy: 'INDEX_BUSY',
  /** A search that took longer than `deadlineMs`. */
  deadline: 'INDEX_DEADLINE',
} as const

export type IndexErrorCode = (typeof INDEX_ERRORS)[keyof typeof INDEX_ERRORS]

/** A search or look-up that cannot be answered. The messages are the reference's. */
export class IndexError extends CodedError<IndexErrorCode> {}
