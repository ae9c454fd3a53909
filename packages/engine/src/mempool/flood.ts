import type { Clock, Logger, Metrics } from '@org/runtime'
import { CheckTxType, type ResponseCheckTx } from '@org/types/abci'
import { hashTxs, txProtoSize } from '@org/types/block'
import { createAvailability } from './availability.ts'
import { createEntryList, type MempoolEntry } from './entry-list.ts'
import { MEMPOOL_ERRORS, MempoolError, messageOf } from './errors.ts'
import type { Mempool, MempoolApp, MempoolUpdate, TxOrigin } from './mempool.ts'
import { createMempoolMetrics } from './metrics.ts'
import { checkMempoolOptions, type MempoolOptions } from './options.ts'
import { createRecheck } from './recheck.ts'
import { createTxCache } from './tx-cache.ts'
import type { PostCheck, PreCheck } from './tx-checks.ts'
import { hashToTxKey, type TxKey, txKey } from './tx-key.ts'
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

/** A view of a larger frame would keep the whole frame alive as long as the transaction stays. */
const COPY_FROM_BUFFERS_OVER = 64 * 1024

function ownBytes(tx: Uint8Array): Uint8Array {
  const { byteLength } = tx.buffer
  return byteLength > COPY_FROM_BUFFERS_OVER && byteLength > tx.length * 2 ? new Uint8Array(tx) : tx
}

/** The mempool that gossips every transaction to every peer. */
export function createFloodMempool(options: MempoolOptions, modules: MempoolModules): Mempool {
  checkMempoolOptions(options)
  const { app, clock, logger } = modules
  const metrics = createMempoolMetrics(modules.metrics)
  const cache = createTxCache(options.cacheSize)
  const entries = createEntryList()
  const updateLock = createUpdateLock({ clock })
  const availability = createAvailability()
  const entryListeners = new Set<() => void>()
  /** Who sent what the application is looking at. */
  const checking = new Map<TxKey, Set<number>>()
  let { height = 0, preCheck, postCheck } = modules
  let txsBytes = 0
  let inFlight = 0
  /** Of transactions at the application, and of those that wait for a commit to end. */
  let checkingBytes = 0
  let waitingBytes = 0
  const idle: (() => void)[] = []
  let recheckFull = false
  let connectionError: Error | undefined
  app.onError((error) => {
    connectionError ??= error
  })

  const counter = {
    begin: () => void inFlight++,
    end: () => {
      inFlight--
      if (inFlight > 0) return
      for (const resolve of idle.splice(0)) resolve()
    },
  }
  const recheck = createRecheck(
    { timeout: options.recheckTimeout },
    { app, entries, clock, logger, metrics, inFlight: counter, onAnswer: rechecked, onDone: recheckDone },
  )

  function setSizeMetrics(): void {
    metrics.size.set(entries.size())
    metrics.sizeBytes.set(txsBytes)
  }

  function full(): MempoolError {
    const [txs, max] = [entries.size(), options.size]
    return new MempoolError(
      MEMPOOL_ERRORS.full,
      `mempool is full: number of txs ${txs} (max: ${max}), total txs bytes ${txsBytes} (max: ${options.maxTxsBytes})`,
      { data: { txs, maxTxs: max, txsBytes, maxTxsBytes: options.maxTxsBytes } },
    )
  }

  function roomFor(size: number): MempoolError | undefined {
    if (entries.size() >= options.size || size + txsBytes > options.maxTxsBytes) return full()
    if (!recheckFull) return undefined
    return new MempoolError(
      MEMPOOL_ERRORS.recheckFull,
      'mempool is still rechecking after a new committed block, so it is considered as full',
    )
  }

  /** Everything that is looked at before the application; throws the reason of refusal. */
  function precheck(tx: Uint8Array): void {
    const isBusy = inFlight >= options.maxPending || checkingBytes + tx.length > options.maxPendingBytes
    const noRoom = isBusy ? full() : roomFor(tx.length)
    if (noRoom !== undefined) {
      metrics.rejectedTxs.add(1)
      throw noRoom
    }
    if (tx.length > options.maxTxBytes) {
      throw new MempoolError(
        MEMPOOL_ERRORS.txTooLarge,
        `Tx too large. Max size is ${options.maxTxBytes}, but got ${tx.length}`,
        { data: { max: options.maxTxBytes, actual: tx.length } },
      )
    }
    const refusal = preCheck?.(tx)
    if (refusal !== undefined) throw new MempoolError(MEMPOOL_ERRORS.preCheck, `tx pre check: ${refusal}`)
    if (connectionError !== undefined) throw connectionFailed(connectionError)
  }

  function connectionFailed(cause: unknown): MempoolError {
    return new MempoolError(MEMPOOL_ERRORS.appConnection, `appConn mempool: ${messageOf(cause)}`, { cause })
  }

  /** Throws a refusal; the promise is the application's answer. */
  function ask(given: Uint8Array, { senderId = 0, hash }: TxOrigin): Promise<ResponseCheckTx> {
    precheck(given)
    const key = hash === undefined ? txKey(given) : hashToTxKey(hash)
    if (!cache.push(key)) {
      const senders = entries.get(key)?.senders ?? checking.get(key)
      senders?.add(senderId)
      throw new MempoolError(MEMPOOL_ERRORS.txInCache, 'tx already exists in cache')
    }
    const tx = ownBytes(given)
    const senders = new Set([senderId])
    checking.set(key, senders)
    checkingBytes += tx.length
    counter.begin()
    return app.checkTx({ tx, type: CheckTxType.new }).then(
      (response) => {
        counter.end()
        checkingBytes -= tx.length
        checking.delete(key)
        checked(key, { tx, response, senders })
        return response
      },
      (error: unknown) => {
        counter.end()
        checkingBytes -= tx.length
        checking.delete(key)
        cache.remove(key)
        throw connectionFailed(error)
      },
    )
  }

  function checked(
    key: TxKey,
    { tx, response, senders }: { tx: Uint8Array; response: ResponseCheckTx; senders: Set<number> },
  ): void {
    const refusal = response.code === 0 ? postCheck?.(tx, response) : 'code'
    if (refusal !== undefined) {
      metrics.failedTxs.add(1)
      if (!options.keepInvalidTxsInCache) cache.remove(key)
      return
    }
    if (roomFor(tx.length) !== undefined) {
      // Others took the room while the application looked; there may be some again later.
      cache.remove(key)
      metrics.rejectedTxs.add(1)
      return
    }
    const known = entries.get(key)
    if (known !== undefined) {
      for (const senderId of senders) known.senders.add(senderId)
      metrics.rejectedTxs.add(1)
      return
    }
    entries.append({ key, tx, height, gasWanted: response.gasWanted, senders })
    txsBytes += tx.length
    metrics.txSizeBytes.observe(tx.length)
    setSizeMetrics()
    availability.notify()
    for (const listener of entryListeners) listener()
  }

  function remove(key: TxKey): boolean {
    const entry = entries.remove(key)
    if (entry === undefined) return false
    txsBytes -= entry.tx.length
    return true
  }

  function rechecked(entry: MempoolEntry, response: ResponseCheckTx): void {
    const valid = response.code === 0 && postCheck?.(entry.tx, response) === undefined
    if (valid) return
    remove(entry.key)
    if (options.keepInvalidTxsInCache) return
    cache.remove(entry.key)
    metrics.evictedTxs.add(1)
  }

  function recheckDone(): void {
    recheckFull = false
    setSizeMetrics()
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

  function checkTx(tx: Uint8Array, origin: TxOrigin = {}): Promise<ResponseCheckTx> {
    const submit = (): Promise<ResponseCheckTx> => {
      const answer = ask(tx, origin)
      origin.onSubmitted?.()
      return answer
    }
    if (!updateLock.isFree()) {
      if (updateLock.waiting() >= options.maxPending || waitingBytes + tx.length > options.maxPendingBytes) {
        metrics.rejectedTxs.add(1)
        return Promise.reject(full())
      }
      waitingBytes += tx.length
      return whenFree(() => {
        waitingBytes -= tx.length
        return submit()
      })
    }
    try {
      return submit()
    } catch (error) {
      return Promise.reject(error)
    }
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
    height = given.height
    availability.reset()
    preCheck = given.preCheck ?? preCheck
    postCheck = given.postCheck ?? postCheck
    const hashes = hashTxs(given.txs)
    given.txs.forEach((_, index) => {
      const key = hashToTxKey(hashes[index] as Uint8Array)
      if (given.txResults[index]?.code === 0) cache.push(key)
      else if (!options.keepInvalidTxsInCache) cache.remove(key)
      remove(key)
    })
    if (options.recheck) await recheck.run()
    else recheckDone()
  }

  return {
    checkTx,
    submitTx: (tx, origin = {}) =>
      whenFree(() => {
        // Whoever asks this way is not interested in the answer; a lost connection shows elsewhere.
        ask(tx, origin).catch(() => undefined)
      }),
    reapMaxBytesMaxGas: async (maxBytes, maxGas) => {
      for (;;) {
        await recheck.done()
        // A commit that was under way may have begun a new recheck.
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
      if (recheck.isActive()) recheckFull = true
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
      if (inFlight > 0) await new Promise<void>((resolve) => idle.push(resolve))
    },
    flush: () => {
      txsBytes = 0
      cache.reset()
      entries.clear()
      setSizeMetrics()
    },
    removeTxByHash: (hash) => {
      if (!remove(hashToTxKey(hash))) {
        throw new MempoolError(MEMPOOL_ERRORS.txNotFound, 'transaction not found in mempool')
      }
      setSizeMetrics()
    },
    hasTx: (hash) => entries.get(hashToTxKey(hash)) !== undefined,
    size: entries.size,
    sizeBytes: () => txsBytes,
    enableTxsAvailable: availability.enable,
    txsAvailable: availability.listen,
    entries: entries.cursor,
    onEntry: (listener) => {
      entryListeners.add(listener)
      return () => void entryListeners.delete(listener)
    },
  }
}
