import type { AbciConnections } from '@org/abci'
import type { AppQuery } from '@org/rpc'
import { BLOCK_PROTOCOL, P2P_PROTOCOL, SOFTWARE_VERSION } from '@org/types'
import { ABCI_VERSION, CheckTxType } from '@org/types/abci'

/**
 * The application, as the RPC uses it. `checkTx` uses the mempool connection, and all other calls use the query
 * connection, as in the reference.
 */
export function createAppQuery({ query, mempool }: Pick<AbciConnections, 'query' | 'mempool'>): AppQuery {
  return {
    info: () =>
      query.info({
        version: SOFTWARE_VERSION,
        blockVersion: BLOCK_PROTOCOL,
        p2pVersion: P2P_PROTOCOL,
        abciVersion: ABCI_VERSION,
      }),
    query: (request) => query.query(request),
    checkTx: (tx) => mempool.checkTx({ tx, type: CheckTxType.new }),
  }
}
