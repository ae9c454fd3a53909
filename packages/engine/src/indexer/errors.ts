import { CodedError } from '@org/runtime/errors'

/** The codes of {@link IndexError}. */
export const INDEX_ERRORS = {
  /** The node has no index, because `tx_index.indexer` is `null`. */
  disabled: 'INDEX_DISABLED',
  /** The query or request has an invalid transaction hash. */
  hash: 'INDEX_HASH_INVALID',
  corrupt: 'INDEX_CORRUPT',
  /** The last block could not be indexed, although its events may have been published already. Consensus halts. */
  unwritten: 'INDEX_UNWRITTEN',
  /** The search needs more keys of the index than `scanBudget` allows. */
  scanBudget: 'INDEX_SCAN_BUDGET',
  /** The search was refused, because too many other searches are waiting. */
  busy: 'INDEX_BUSY',
  /** The search took longer than `deadlineMs`. */
  deadline: 'INDEX_DEADLINE',
} as const

/** A code of {@link IndexError}. */
export type IndexErrorCode = (typeof INDEX_ERRORS)[keyof typeof INDEX_ERRORS]

/**
 * An error about a search or look-up that cannot be answered. If the reference has an error for the same case, the
 * message is the reference's.
 */
export class IndexError extends CodedError<IndexErrorCode> {}
