import { type EventData, hashTx } from '@org/types'
import type { TxResult } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { NODE_ERRORS, NodeError } from './errors.ts'

/**
 * A registry of callers that wait for a transaction to be committed. It does not subscribe to events, because a
 * subscription would cost time for each event even if no caller waits.
 */
export interface TxWaiters {
  /**
   * Resolves when a transaction with this hash is committed after the call. Rejects with the reason of `signal` when
   * `signal` aborts. Rejects with `NODE_STOPPED` when the node stops.
   */
  readonly wait: (hash: Uint8Array, signal: AbortSignal) => Promise<TxResult>
  readonly publish: (event: EventData) => void
}

interface Waiter {
  readonly resolve: (result: TxResult) => void
  readonly reject: (reason: unknown) => void
}

export function createTxWaiters(end: AbortSignal): TxWaiters {
  const byHash = new Map<string, Set<Waiter>>()

  function add(hash: string, waiter: Waiter): () => void {
    const waiters = byHash.get(hash) ?? new Set()
    waiters.add(waiter)
    byHash.set(hash, waiters)
    return () => {
      waiters.delete(waiter)
      if (waiters.size === 0 && byHash.get(hash) === waiters) byHash.delete(hash)
    }
  }

  function rejectAll(): void {
    for (const waiters of [...byHash.values()]) for (const waiter of [...waiters]) waiter.reject(exited())
  }
  end.addEventListener('abort', rejectAll, { once: true })

  const exited = (): NodeError => new NodeError(NODE_ERRORS.stopped, 'CometBFT exited')

  return {
    wait: (hash, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (end.aborted) return reject(exited())
        const cleanUp = (): void => {
          remove()
          signal.removeEventListener('abort', abort)
        }
        const abort = (): void => {
          cleanUp()
          reject(signal.reason)
        }
        const remove = add(bytesToHex(hash), {
          resolve: (result) => {
            cleanUp()
            resolve(result)
          },
          reject: (reason) => {
            cleanUp()
            reject(reason)
          },
        })
        signal.addEventListener('abort', abort, { once: true })
      }),
    publish: (event) => {
      if (event.type !== 'Tx' || byHash.size === 0) return
      const waiters = byHash.get(bytesToHex(hashTx(event.txResult.tx)))
      for (const waiter of [...(waiters ?? [])]) waiter.resolve(event.txResult)
    },
  }
}
