import { CodedError } from '@org/runtime/errors'

/** The codes of {@link MempoolError}. */
export const MEMPOOL_ERRORS = {
  txInCache: 'MEMPOOL_TX_IN_CACHE',
  txTooLarge: 'MEMPOOL_TX_TOO_LARGE',
  full: 'MEMPOOL_FULL',
  recheckFull: 'MEMPOOL_RECHECK_FULL',
  shortOfMemory: 'MEMPOOL_SHORT_OF_MEMORY',
  preCheck: 'MEMPOOL_PRE_CHECK',
  appConnection: 'MEMPOOL_APP_CONNECTION',
  flushAppConnection: 'MEMPOOL_FLUSH_APP_CONNECTION',
  notAllowed: 'MEMPOOL_NOT_ALLOWED',
  batch: 'MEMPOOL_BATCH',
  options: 'MEMPOOL_OPTIONS',
} as const
/** A code of {@link MempoolError}. */
export type MempoolErrorCode = (typeof MEMPOOL_ERRORS)[keyof typeof MEMPOOL_ERRORS]

/**
 * An error of the mempool, for example for a transaction that was refused. Its message is sent to clients. If the
 * reference has an error for the same case, the message is the reference's.
 */
export class MempoolError extends CodedError<MempoolErrorCode> {}
