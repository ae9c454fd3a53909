import { createEntryList, type EntryList, type MempoolEntry } from './entry-list.ts'
import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'
import type { MempoolMetrics } from './metrics.ts'
import type { MempoolOptions } from './options.ts'
import { createTxCache, type TxCache } from './tx-cache.ts'
import type { TxKey } from './tx-key.ts'

/** The transactions that wait for a block, their bytes, and the keys of seen transactions. */
export interface TxPool {
  readonly entries: EntryList
  readonly cache: TxCache
  readonly sizeBytes: () => number
  readonly append: (entry: MempoolEntry) => void
  /**
   * Removes a transaction; returns `undefined` if the pool does not have it. The caller updates the metrics, once for
   * all transactions that it removes.
   */
  readonly remove: (key: TxKey) => MempoolEntry | undefined
  /** Removes all transactions, and empties the cache of seen transactions. */
  readonly clear: () => void
  /** Returns the error for a transaction of `size` bytes that does not fit; `undefined` if it fits. */
  readonly roomFor: (size: number) => MempoolError | undefined
  readonly full: () => MempoolError
  /** While the rechecks of the last block continue after a new block, the pool is treated as full. */
  readonly setRecheckFull: (isFull: boolean) => void
  /** While the node is short of memory, the pool refuses everything. */
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
   * The last refusal. It is used again while its figures are right, because making the stack of an error takes longer
   * than all other work for a transaction.
   */
  let lastFull: { readonly error: MempoolError; readonly txs: number; readonly txsBytes: number } | undefined

  function full(): MempoolError {
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
      if (entries.size() >= options.size || size + txsBytes > options.maxTxsBytes) return full()
      if (!recheckFull) return undefined
      return rechecking
    },
    full,
    setRecheckFull: (isFull) => {
      recheckFull = isFull
    },
    setShortOfMemory: (isShort) => {
      shortOfMemory = isShort
    },
    setSizeMetrics,
  }
}
