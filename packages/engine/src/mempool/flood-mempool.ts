import type { Clock, Logger, Metrics } from '@org/runtime'
import { createListeners, messageOf } from '@org/runtime'
import { hashTxs } from '@org/types'
import type { ResponseCheckTx } from '@org/types/abci'
import { type Conditions, createAdmission } from './admission.ts'
import { createAvailability } from './availability.ts'
import type { MempoolEntry } from './entry-list.ts'
import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'
import { createIntake } from './intake.ts'
import type { Mempool, MempoolApp, MempoolUpdate } from './mempool.ts'
import { createMempoolMetrics } from './metrics.ts'
import { createOpenRequests } from './open-requests.ts'
import { checkMempoolOptions, type MempoolOptions } from './options.ts'
import { createTxPool } from './pool.ts'
import { reapMaxBytesMaxGas, reapMaxTxs } from './reap.ts'
import { createRecheck } from './recheck.ts'
import type { PostCheck, PreCheck } from './tx-checks.ts'
import { hashToTxKey } from './tx-key.ts'
import { createUpdateLock } from './update-lock.ts'

export interface MempoolModules {
  readonly app: MempoolApp
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** The height of the last block when the mempool is created. Default: 0. */
  readonly height?: number
  readonly preCheck?: PreCheck
  readonly postCheck?: PostCheck
}

/**
 * Creates the mempool whose transactions the gossip sends to every peer. The function is long because it contains all
 * operations of the mempool. Its parts, such as the pool and the update lock, are in other files.
 */
export function createFloodMempool(options: MempoolOptions, modules: MempoolModules): Mempool {
  checkMempoolOptions(options)
  const { app, clock, logger, height = 0, preCheck, postCheck } = modules
  const metrics = createMempoolMetrics(modules.metrics)
  const pool = createTxPool(options, metrics)
  const { entries, cache } = pool
  const updateLock = createUpdateLock({ clock })
  const availability = createAvailability()
  const openRequests = createOpenRequests()
  const entryListeners = createListeners()
  const conditions: Conditions = { height, preCheck, postCheck }

  /**
   * The error for a client's transaction that was seen before. The same error object is returned for all these
   * transactions: making the stack trace of a new error takes longer than all other work for such a transaction.
   */
  const seenBefore = new MempoolError(MEMPOOL_ERRORS.txInCache, 'tx already exists in cache')
  function refuseSeen(): never {
    throw seenBefore
  }

  const { admit } = createAdmission(options, {
    app,
    pool,
    metrics,
    openRequests,
    conditions,
    monotonic: clock.monotonic,
    onEntry: () => {
      availability.notify()
      entryListeners.call()
    },
  })
  const { submitTx, whenFree } = createIntake(options, {
    updateLock,
    admit,
    fullError: () => {
      metrics.rejectedTxs.add(1)
      return pool.fullError()
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
    checkTx: async (tx, origin = {}) => submitTx(tx, origin, refuseSeen),
    checkTxNow: (tx, origin = {}) => submitTx(tx, origin, refuseSeen),
    // If a peer sends a transaction that was seen before, the result is `undefined` and not an error. Many peers send
    // the same transaction, and throwing an error takes ten times as long as looking up the transaction.
    offerTx: (tx, origin = {}) => submitTx(tx, origin, () => undefined),
    reapMaxBytesMaxGas: async (maxBytes, maxGas) => {
      for (;;) {
        await recheck.whenDone()
        // Before `whenFree` calls its function, another block may have been committed. The commit may have started a
        // new recheck, and reaping must then wait for the new recheck.
        const txs = await whenFree(() =>
          recheck.isActive() ? undefined : reapMaxBytesMaxGas(entries, maxBytes, maxGas),
        )
        if (txs !== undefined) return txs
      }
    },
    reapMaxTxs: (max) => reapMaxTxs(entries, max),
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
      await openRequests.whenNone()
    },
    flush: pool.clear,
    remove: (hash) => {
      const key = hashToTxKey(hash)
      const entry = pool.remove(key)
      if (entry === undefined) return undefined
      cache.remove(key)
      pool.setSizeMetrics()
      return entry.tx
    },
    size: entries.size,
    sizeBytes: pool.sizeBytes,
    enableTxsAvailable: availability.enable,
    txsAvailable: availability.listen,
    entries: entries.cursor,
    onEntry: entryListeners.add,
    setShortOfMemory: pool.setShortOfMemory,
    sizes: () => ({
      txs: entries.size(),
      seen: cache.size(),
      asked: openRequests.count(),
      waiting: updateLock.waiting(),
      listeners: entryListeners.size(),
    }),
  }
}
