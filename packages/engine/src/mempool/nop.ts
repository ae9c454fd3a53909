import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'
import type { Mempool } from './mempool.ts'

const nothing = (): void => undefined

/** A mempool that takes nothing: the application finds its transactions by itself. */
export function createNopMempool(): Mempool {
  const refuse = (): MempoolError => new MempoolError(MEMPOOL_ERRORS.notAllowed, 'not allowed with `nop` mempool')
  return {
    checkTx: () => Promise.reject(refuse()),
    checkTxNow: () => {
      throw refuse()
    },
    offerTx: () => {
      throw refuse()
    },
    submitTx: () => Promise.reject(refuse()),
    reapMaxBytesMaxGas: () => Promise.resolve([]),
    reapMaxTxs: () => [],
    lock: () => Promise.resolve(nothing),
    update: () => Promise.resolve(),
    flushAppConn: () => Promise.resolve(),
    flush: nothing,
    removeTxByHash: () => {
      throw refuse()
    },
    hasTx: () => false,
    size: () => 0,
    sizeBytes: () => 0,
    enableTxsAvailable: nothing,
    txsAvailable: () => nothing,
    entries: () => ({ next: () => undefined, isThere: () => false }),
    onEntry: () => nothing,
    sizes: () => ({}),
  }
}
