import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'

export interface MempoolOptions {
  /** Check again what stays in the pool after each block. */
  readonly recheck: boolean
  /** How long reaping waits for the answers of a recheck, in milliseconds from when the last one was sent. */
  readonly recheckTimeout: number
  /** The most transactions. */
  readonly size: number
  /** The most bytes of all transactions together. */
  readonly maxTxsBytes: number
  /** How many keys of transactions seen before are remembered; 0 remembers none. */
  readonly cacheSize: number
  readonly keepInvalidTxsInCache: boolean
  readonly maxTxBytes: number
  /** The most checks that wait for the application or for a commit; more are refused as if the pool were full. */
  readonly maxPending: number
  /** The most bytes of their transactions: those at the application, and again those that wait for a commit. */
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
