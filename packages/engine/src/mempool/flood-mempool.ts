import type { Clock, Logger, Metrics } from '@org/runtime'
import { messageOf } from '@org/runtime'
import type { ResponseCheckTx } from '@org/types/abci'
import { hashTxs, txProtoSize } from '@org/types/block'
import { type Conditions, createAdmission } from './admission.ts'
import { createAvailability } from './availability.ts'
import type { MempoolEntry } from './entry-list.ts'
import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'
import type { Mempool, MempoolApp, MempoolUpdate, TxOrigin } from './mempool.ts'
import { createMempoolMetrics } from './metrics.ts'
import { createOpenRequests } from './open-requests.ts'
import { checkMempoolOptions, type MempoolOptions } from './options.ts'
import { createTxPool } from './pool.ts'
import { createRecheck } from './recheck.ts'
import type { PostCheck, PreCheck } from './tx-checks.ts'
import { hashToTxKey } from './tx-key.ts'
import { createUpdateLock } from './update-lock.ts'

export interface MempoolModules {
  readonly app: MempoolApp
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** The height of the last block. */
  readonly height?: number
  readonly preCheck?: PreCheck
  readonly postCheck?: PostCheck
}

/** The mempool that gossips every transaction to every peer. */
export function createFloodMempool(options: MempoolOptions, modules: MempoolModules): Mempool {
  checkMempoolOptions(options)
  const { app, clock, logger, height = 0, preCheck, postCheck } = modules
  const metrics = createMempoolMetrics(modules.metrics)
  const pool = createTxPool(options, metrics)
  const { entries, cache } = pool
  const updateLock = createUpdateLock({ clock })
  const availability = createAvailability()
  const openRequests = createOpenRequests()
  const entryListeners = new Set<() => void>()
  const conditions: Conditions = { height, preCheck, postCheck }
  /** Bytes of transactions that wait for the end of a commit. */
  let waitingBytes = 0

  const { ask } = createAdmission(options, {
    app,
    pool,
    metrics,
    openRequests,
    conditions,
    monotonic: clock.monotonic,
    onEntry: () => {
      availability.notify()
      for (const listener of entryListeners) listener()
    },
  })
  const recheck = createRecheck(
    { timeout: options.recheckTimeout },
    { app, entries, clock, logger, metrics, openRequests, onAnswer: rechecked, onDone: recheckDone },
  )

  function rechecked(entry: MempoolEntry, response: ResponseCheckTx): void {
    const valid = response.code === 0 && conditions.postCheck?.(entry.tx, response) === undefined
    if (valid) return
    pool.remove(entry.key)
    if (options.keepInvalidTxsInCache) return
    cache.remove(entry.key)
    metrics.evictedTxs.add(1)
  }

  function recheckDone(): void {
    pool.setRecheckFull(false)
    pool.setSizeMetrics()
    if (entries.size() > 0) availability.notify()
  }

  function whenFree<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      updateLock.whenFree(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  /** One shared error object: to make a stack for each refusal takes longer than all other work for it. */
  const seenBefore = new MempoolError(MEMPOOL_ERRORS.txInCache, 'tx already exists in cache')
  function refuseSeen(): never {
    throw seenBefore
  }

  /** `onSeen` makes the result for a transaction that was seen before. */
  function take<T>(
    tx: Uint8Array,
    origin: TxOrigin,
    onSeen: () => T,
  ): ResponseCheckTx | T | Promise<ResponseCheckTx | T> {
    const submit = (): ResponseCheckTx | T | Promise<ResponseCheckTx> => {
      const answer = ask(tx, origin)
      if (answer === undefined) return onSeen()
      origin.onSubmitted?.()
      return answer
    }
    if (updateLock.isFree()) return submit()
    if (updateLock.waiting() >= options.maxPending || waitingBytes + tx.length > options.maxPendingBytes) {
      metrics.rejectedTxs.add(1)
      throw pool.full()
    }
    waitingBytes += tx.length
    return whenFree(() => {
      waitingBytes -= tx.length
      return submit()
    })
  }

  function reap(maxBytes: number, maxGas: bigint): Uint8Array[] {
    const txs: Uint8Array[] = []
    let bytes = 0
    let gas = 0n
    for (const { tx, gasWanted } of entries) {
      bytes += txProtoSize(tx)
      gas += gasWanted
      if ((maxBytes > -1 && bytes > maxBytes) || (maxGas > -1n && gas > maxGas)) break
      txs.push(tx)
    }
    return txs
  }

  async function update(given: MempoolUpdate): Promise<void> {
    conditions.height = given.height
    availability.reset()
    conditions.preCheck = given.preCheck ?? conditions.preCheck
    conditions.postCheck = given.postCheck ?? conditions.postCheck
    const hashes = hashTxs(given.txs)
    given.txs.forEach((_, index) => {
      const key = hashToTxKey(hashes[index] as Uint8Array)
      if (given.txResults[index]?.code === 0) cache.push(key)
      else if (!options.keepInvalidTxsInCache) cache.remove(key)
      pool.remove(key)
    })
    if (options.recheck) await recheck.run()
    else recheckDone()
  }

  return {
    checkTx: async (tx, origin = {}) => take(tx, origin, refuseSeen),
    checkTxNow: (tx, origin = {}) => take(tx, origin, refuseSeen),
    // Returns a value instead of an error: each peer sends each transaction, and a throw takes ten times as long as
    // the look-up.
    offerTx: (tx, origin = {}) => take(tx, origin, () => undefined),
    reapMaxBytesMaxGas: async (maxBytes, maxGas) => {
      for (;;) {
        await recheck.done()
        // A commit that ended meanwhile may have begun a new recheck.
        const txs = await whenFree(() => (recheck.isActive() ? undefined : reap(maxBytes, maxGas)))
        if (txs !== undefined) return txs
      }
    },
    reapMaxTxs: (max) => {
      const txs: Uint8Array[] = []
      for (const { tx } of entries) {
        if (max >= 0 && txs.length > max) break
        txs.push(tx)
      }
      return txs
    },
    lock: () => {
      if (recheck.isActive()) pool.setRecheckFull(true)
      return updateLock.acquire()
    },
    update,
    flushAppConn: async () => {
      try {
        await app.flush()
      } catch (cause) {
        const message = `flush appConn mempool: ${messageOf(cause)}`
        throw new MempoolError(MEMPOOL_ERRORS.flushAppConnection, message, { cause })
      }
      await openRequests.none()
    },
    flush: pool.clear,
    size: entries.size,
    sizeBytes: pool.sizeBytes,
    enableTxsAvailable: availability.enable,
    txsAvailable: availability.listen,
    entries: entries.cursor,
    onEntry: (listener) => {
      entryListeners.add(listener)
      return () => void entryListeners.delete(listener)
    },
    setShortOfMemory: pool.setShortOfMemory,
    sizes: () => ({
      txs: entries.size(),
      seen: cache.size(),
      asked: openRequests.count(),
      waiting: updateLock.waiting(),
      listeners: entryListeners.size,
    }),
  }
}
