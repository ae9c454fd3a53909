import type { Mempool as EngineMempool } from '@org/engine'
import type { Mempool } from '@org/rpc'

export function createMempoolPort(mempool: EngineMempool): Mempool {
  return {
    checkTx: mempool.checkTxNow,
    reapMaxTxs: (count) => mempool.reapMaxTxs(count),
    size: mempool.size,
    sizeBytes: mempool.sizeBytes,
    flush: mempool.flush,
  }
}
