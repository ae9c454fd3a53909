import type { TxIntake, TxRelief, TxView } from '@org/engine'
import type { Mempool } from '@org/rpc'

type Pool = Pick<TxIntake, 'checkTxNow'> & TxView & Pick<TxRelief, 'flush'>

/** The mempool of a node, as the RPC uses it. */
export function createMempoolPort(mempool: Pool): Mempool {
  return {
    checkTx: mempool.checkTxNow,
    reapMaxTxs: (count) => mempool.reapMaxTxs(count),
    size: mempool.size,
    sizeBytes: mempool.sizeBytes,
    flush: mempool.flush,
  }
}
