import { createEntryList, type EntryList, type MempoolEntry } from './entry-list.ts'
import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'
import type { MempoolMetrics } from './metrics.ts'
import type { MempoolOptions } from './options.ts'
import { createTxCache, type TxCache } from './tx-cache.ts'
import type { TxKey } from './tx-key.ts'

/**
 * The transactions that wait for a block, their total number of bytes, and the keys of the transactions that were seen.
 */
export interface TxPool {
  readonly entries: EntryList
  readonly cache: TxCache
  readonly sizeBytes: () => number
  readonly append: (entry: MempoolEntry) => void
  /**
   * Removes a transaction and returns its entry; `undefined` if the pool does not have it. The metrics are not updated.
   * A caller that has removed one or more transactions must then call `setSizeMetrics`.
   */
  readonly remove: (key: TxKey) => MempoolEntry | undefined
  /** Removes all transactions, and empties the cache of the transactions that were seen. */
  readonly clear: () => void
  /** Returns the error for a transaction of `size` bytes that does not fit; `undefined` if it fits. */
  readonly roomFor: (size: number) => MempoolError | undefined
  readonly fullError: () => MempoolError
  /**
   * With `true`, the pool refuses new transactions as if it were full. The mempool sets `true` if the commit of the
   * next block begins before the rechecks after the last block have ended.
   */
  readonly setRecheckFull: (isFull: boolean) => void
  /**
   * Sets whether the node is short of memory. While the node is short of memory, the pool refuses every transaction.
   */
  readonly setShortOfMemory: (isShort: boolean) => void
  readonly setSizeMetrics: () => void
}

function noMemory(): MempoolError {
  const text = 'the node is short of memory and refuses transactions for now; try again later'
  return new MempoolError(MEMPOOL_ERRORS.shortOfMemory, text)
}

export function createTxPool(
  options: Pick<MempoolOptions, 'size' | 'maxTxsBytes' | 'cacheSize'>,
  metrics: MempoolMetrics,
): TxPool {
  const entries = createEntryList()
  const cache = createTxCache(options.cacheSize)
  let txsBytes = 0
  let recheckFull = false
  let shortOfMemory = false

  /**
   * The last error that was made for a full pool. While the numbers in its message are right, the same object is used
   * again: making the stack trace of a new error takes longer than all other work for a transaction.
   */
  let lastFull: { readonly error: MempoolError; readonly txs: number; readonly txsBytes: number } | undefined

  function fullError(): MempoolError {
    const txs = entries.size()
    if (lastFull?.txs !== txs || lastFull.txsBytes !== txsBytes) lastFull = { error: makeFull(txs), txs, txsBytes }
    return lastFull.error
  }

  function makeFull(txs: number): MempoolError {
    const max = options.size
    return new MempoolError(
      MEMPOOL_ERRORS.full,
      `mempool is full: number of txs ${txs} (max: ${max}), total txs bytes ${txsBytes} (max: ${options.maxTxsBytes})`,
      { data: { txs, maxTxs: max, txsBytes, maxTxsBytes: options.maxTxsBytes } },
    )
  }

  const rechecking = new MempoolError(
    MEMPOOL_ERRORS.recheckFull,
    'mempool is still rechecking after a new committed block, so it is considered as full',
  )

  function setSizeMetrics(): void {
    metrics.size.set(entries.size())
    metrics.sizeBytes.set(txsBytes)
  }

  return {
    entries,
    cache,
    sizeBytes: () => txsBytes,
    append: (entry) => {
      entries.append(entry)
      txsBytes += entry.tx.length
      metrics.txSizeBytes.observe(entry.tx.length)
      setSizeMetrics()
    },
    remove: (key) => {
      const entry = entries.remove(key)
      if (entry !== undefined) txsBytes -= entry.tx.length
      return entry
    },
    clear: () => {
      txsBytes = 0
      cache.reset()
      entries.clear()
      setSizeMetrics()
    },
    roomFor: (size) => {
      if (shortOfMemory) return noMemory()
      if (entries.size() >= options.size || size + txsBytes > options.maxTxsBytes) return fullError()
      if (!recheckFull) return undefined
      return rechecking
    },
    fullError,
    setRecheckFull: (isFull) => {
      recheckFull = isFull
    },
    setShortOfMemory: (isShort) => {
      shortOfMemory = isShort
    },
    setSizeMetrics,
  }
}
