import { messageOf } from '@org/runtime'
import { CheckTxType, type ResponseCheckTx } from '@org/types/abci'
import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'
import type { MempoolApp, TxOrigin } from './mempool.ts'
import type { MempoolMetrics } from './metrics.ts'
import type { OpenRequests } from './open-requests.ts'
import type { MempoolOptions } from './options.ts'
import type { TxPool } from './pool.ts'
import { createSenderSets, type Senders } from './sender-sets.ts'
import type { PostCheck, PreCheck } from './tx-checks.ts'
import { createTxCopies } from './tx-copies.ts'
import { hashToTxKey, type TxKey, txKey } from './tx-key.ts'

/** Adds transactions to the pool. */
export interface Admission {
  /**
   * Runs the checks on a transaction, asks the application whether it accepts the transaction, and adds an accepted
   * transaction to the pool. Returns the application's answer. The answer is a promise only if the application answered
   * with a promise.
   *
   * Returns `undefined` if the transaction was seen before. This is no error, because many peers send the same
   * transaction. Throws the reason if a check or the pool refuses the transaction. Rejects if the application fails
   * while it checks the transaction.
   */
  readonly admit: (tx: Uint8Array, origin: TxOrigin) => ResponseCheckTx | Promise<ResponseCheckTx> | undefined
}

/** The height of the last block, and the checks that apply to new transactions after this block. */
export interface Conditions {
  height: number
  preCheck: PreCheck | undefined
  postCheck: PostCheck | undefined
}

export interface AdmissionModules {
  readonly app: MempoolApp
  readonly pool: TxPool
  readonly metrics: MempoolMetrics
  readonly openRequests: OpenRequests
  readonly conditions: Readonly<Conditions>
  readonly monotonic: () => number
  /** Called after each transaction that was added to the pool. */
  readonly onEntry: () => void
}

/** A transaction that the application is checking. */
interface PendingCheck {
  readonly key: TxKey
  readonly tx: Uint8Array
  senders: Senders
}

function connectionFailed(cause: unknown): MempoolError {
  return new MempoolError(MEMPOOL_ERRORS.appConnection, `appConn mempool: ${messageOf(cause)}`, { cause })
}

function txTooLarge(actual: number, max: number): MempoolError {
  return new MempoolError(MEMPOOL_ERRORS.txTooLarge, `Tx too large. Max size is ${max}, but got ${actual}`, {
    data: { max, actual },
  })
}

/**
 * Creates the part of the mempool that adds transactions to the pool. The function is long because it records each
 * check that begins, and removes this record wherever the check can end: refused, answered or failed.
 */
export function createAdmission(options: MempoolOptions, modules: AdmissionModules): Admission {
  const { app, pool, metrics, openRequests, conditions, monotonic, onEntry } = modules
  const { entries, cache } = pool
  const senderSets = createSenderSets()
  const compact = createTxCopies()
  /** The transactions that the application is checking, with their senders. */
  const checking = new Map<TxKey, PendingCheck>()
  let checkingBytes = 0
  let connectionError: Error | undefined
  app.onError((error) => {
    connectionError ??= error
  })

  /**
   * Runs all checks that come before the application's check. Throws the reason if one of them refuses the transaction.
   */
  function precheck(tx: Uint8Array): void {
    const isBusy = openRequests.count() >= options.maxPending || checkingBytes + tx.length > options.maxPendingBytes
    const noRoom = isBusy ? pool.fullError() : pool.roomFor(tx.length)
    if (noRoom !== undefined) {
      metrics.rejectedTxs.add(1)
      throw noRoom
    }
    if (tx.length > options.maxTxBytes) throw txTooLarge(tx.length, options.maxTxBytes)
    const refusal = conditions.preCheck?.(tx)
    if (refusal !== undefined) throw new MempoolError(MEMPOOL_ERRORS.preCheck, `tx pre check: ${refusal}`)
    if (connectionError !== undefined) throw connectionFailed(connectionError)
  }

  function finish({ key, tx, senders }: PendingCheck, response: ResponseCheckTx): void {
    const refusal = response.code === 0 ? conditions.postCheck?.(tx, response) : 'code'
    if (refusal !== undefined) {
      metrics.failedTxs.add(1)
      if (!options.keepInvalidTxsInCache) cache.remove(key)
      return
    }
    if (pool.roomFor(tx.length) !== undefined) {
      // While the application checked this transaction, other transactions filled the pool. This transaction is not
      // remembered as seen, so that it can be added if a peer or a client sends it again.
      cache.remove(key)
      metrics.rejectedTxs.add(1)
      return
    }
    const existing = entries.get(key)
    if (existing !== undefined) {
      existing.senders = senderSets.union(existing.senders, senders)
      metrics.rejectedTxs.add(1)
      return
    }
    const { height } = conditions
    pool.append({ key, tx, height, takenAt: monotonic(), gasWanted: response.gasWanted, senders })
    onEntry()
  }

  function awaitAnswer(pendingCheck: PendingCheck, answer: Promise<ResponseCheckTx>): Promise<ResponseCheckTx> {
    const { key, tx } = pendingCheck
    checking.set(key, pendingCheck)
    checkingBytes += tx.length
    openRequests.begin()
    const end = (): void => {
      openRequests.end()
      checkingBytes -= tx.length
      checking.delete(key)
    }
    return answer.then(
      (response) => {
        end()
        finish(pendingCheck, response)
        return response
      },
      (error: unknown) => {
        end()
        cache.remove(key)
        throw connectionFailed(error)
      },
    )
  }

  return {
    admit: (tx, { senderId = 0, hash }) => {
      precheck(tx)
      const key = hash === undefined ? txKey(tx) : hashToTxKey(hash)
      if (!cache.push(key)) {
        const existing = entries.get(key) ?? checking.get(key)
        if (existing !== undefined) existing.senders = senderSets.union(existing.senders, senderSets.of(senderId))
        return undefined
      }
      // The transaction is copied before the request. Without the copy, the ABCI client could keep the buffer of the
      // whole message in memory until the application answers.
      const pendingCheck: PendingCheck = { key, tx: compact(tx), senders: senderSets.of(senderId) }
      let answer: ResponseCheckTx | Promise<ResponseCheckTx>
      try {
        answer = app.checkTx({ tx: pendingCheck.tx, type: CheckTxType.new })
      } catch (error) {
        // If an application in this process throws an error, the caller receives a rejected promise, as if the
        // application had answered asynchronously.
        cache.remove(key)
        return Promise.reject(connectionFailed(error))
      }
      if (answer instanceof Promise) return awaitAnswer(pendingCheck, answer)
      finish(pendingCheck, answer)
      return answer
    },
  }
}
