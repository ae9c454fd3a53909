import type { TxIntake, TxMemoryControl, TxView } from '@org/engine'
import type { Mempool } from '@org/rpc'

/** The mempool of a node, as the RPC uses it. */
export type RpcMempool = Pick<TxIntake, 'checkTxNow'> & TxView & Pick<TxMemoryControl, 'flush'>

export function createMempoolPort(mempool: RpcMempool): Mempool {
  return {
    checkTx: mempool.checkTxNow,
    reapMaxTxs: (count) => mempool.reapMaxTxs(count),
    size: mempool.size,
    sizeBytes: mempool.sizeBytes,
    flush: mempool.flush,
  }
}
