import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'

export interface MempoolOptions {
  /** Whether the transactions that stay in the pool are checked again after each block. */
  readonly recheck: boolean
  /** The time for which reaping waits for the answers of a recheck, in milliseconds from the last request. */
  readonly recheckTimeout: number
  /** The maximum number of transactions. */
  readonly size: number
  /** The maximum number of bytes of all transactions together. */
  readonly maxTxsBytes: number
  /** The maximum number of keys of seen transactions that are kept; 0 keeps none. */
  readonly cacheSize: number
  readonly keepInvalidTxsInCache: boolean
  readonly maxTxBytes: number
  /**
   * The maximum number of checks that wait for the application or for a commit; further ones are refused as if the pool
   * were full.
   */
  readonly maxPending: number
  /**
   * The maximum number of bytes of the transactions whose checks wait: one such limit for the application, and one for
   * a commit.
   */
  readonly maxPendingBytes: number
}

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

/** Throws a {@link MempoolError} that names the option. */
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
