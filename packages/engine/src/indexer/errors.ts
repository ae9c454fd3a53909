import { CodedError } from '@org/runtime/errors'

export const INDEX_ERRORS = {
  /** `tx_index.indexer` is `null`. */
  disabled: 'INDEX_DISABLED',
  /** The query or request has an invalid transaction hash. */
  hash: 'INDEX_HASH_INVALID',
  corrupt: 'INDEX_CORRUPT',
  /** The last block was published but could not be indexed: consensus halts. */
  unwritten: 'INDEX_UNWRITTEN',
  /** The search looked at more keys than `scanBudget` allows. */
  scanBudget: 'INDEX_SCAN_BUDGET',
  /** The search was refused, because too many other searches are waiting. */
  busy: 'INDEX_BUSY',
  /** The search took longer than `deadlineMs`. */
  deadline: 'INDEX_DEADLINE',
} as const

export type IndexErrorCode = (typeof INDEX_ERRORS)[keyof typeof INDEX_ERRORS]

/** A search or look-up that cannot be answered. The messages are the reference's. */
export class IndexError extends CodedError<IndexErrorCode> {}
