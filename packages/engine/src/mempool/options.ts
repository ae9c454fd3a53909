import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'

/** The limits of the mempool, and the rules of its cache and of rechecks. */
export interface MempoolOptions {
  /** True if the application checks the remaining transactions again after each block. */
  readonly recheck: boolean
  /**
   * The maximum time for which reaping waits for the answers of a recheck, in milliseconds. The time begins when the
   * last request of the recheck was sent.
   */
  readonly recheckTimeout: number
  /** The maximum number of transactions in the mempool. */
  readonly size: number
  /** The maximum number of bytes of all transactions in the mempool together. */
  readonly maxTxsBytes: number
  /** The maximum number of keys in the cache of the transactions that were seen; 0 means no cache. */
  readonly cacheSize: number
  readonly keepInvalidTxsInCache: boolean
  readonly maxTxBytes: number
  /**
   * The maximum number of checks that wait for the application, and also the maximum number of transactions that wait
   * for the end of a commit. Further transactions are refused as if the mempool were full.
   */
  readonly maxPending: number
  /**
   * The maximum number of bytes of all transactions that wait for the application. The transactions that wait for the
   * end of a commit have a separate limit of the same size.
   */
  readonly maxPendingBytes: number
}

/** The default options of the mempool. */
export const DEFAULT_MEMPOOL_OPTIONS: MempoolOptions = {
  recheck: true,
  recheckTimeout: 1000,
  size: 5000,
  maxTxsBytes: 1024 * 1024 * 1024,
  cacheSize: 10_000,
  keepInvalidTxsInCache: false,
  maxTxBytes: 1024 * 1024,
  maxPending: 20_000,
  maxPendingBytes: 256 * 1024 * 1024,
}

/** Throws a {@link MempoolError} that names the invalid option, if an option is invalid. */
export function checkMempoolOptions(options: MempoolOptions): void {
  const names = [
    'recheckTimeout',
    'size',
    'maxTxsBytes',
    'cacheSize',
    'maxTxBytes',
    'maxPending',
    'maxPendingBytes',
  ] as const
  for (const name of names) {
    if (!(options[name] >= 0)) {
      throw new MempoolError(MEMPOOL_ERRORS.options, `${name} can't be negative`, { data: { name } })
    }
  }
}
