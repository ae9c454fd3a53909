import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'
import type { Mempool } from './mempool.ts'

const nothing = (): void => undefined

/**
 * Creates a mempool that refuses all transactions. It is for applications that receive their transactions in another
 * way.
 */
export function createNopMempool(): Mempool {
  const refusal = (): MempoolError => new MempoolError(MEMPOOL_ERRORS.notAllowed, 'not allowed with `nop` mempool')
  const reject = (): Promise<never> => Promise.reject(refusal())
  const refuse = (): never => {
    throw refusal()
  }
  return {
    checkTx: reject,
    checkTxNow: refuse,
    offerTx: refuse,
    reapMaxBytesMaxGas: () => Promise.resolve([]),
    reapMaxTxs: () => [],
    lock: () => Promise.resolve(nothing),
    update: () => Promise.resolve(),
    flushAppConn: () => Promise.resolve(),
    flush: nothing,
    remove: nothing as () => undefined,
    size: () => 0,
    sizeBytes: () => 0,
    enableTxsAvailable: nothing,
    txsAvailable: nothing,
    entries: () => ({ next: () => undefined, isListed: () => false }),
    onEntry: nothing,
    setShortOfMemory: nothing,
    sizes: () => ({}),
  }
}
