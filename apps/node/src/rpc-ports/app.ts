import type { AbciConnections } from '@org/abci'
import type { AppQuery } from '@org/rpc'
import { CheckTxType } from '@org/types/abci'
import { VERSIONS } from '../version.ts'

/** Questions go over the query connection; a check without the mempool over the mempool's, as the reference's. */
export function createAppQuery({ query, mempool }: Pick<AbciConnections, 'query' | 'mempool'>): AppQuery {
  return {
    info: () =>
      query.info({
        version: VERSIONS.software,
        blockVersion: BigInt(VERSIONS.block),
        p2pVersion: BigInt(VERSIONS.p2p),
        abciVersion: VERSIONS.abci,
      }),
    query: (request) => query.query(request),
    checkTx: (tx) => mempool.checkTx({ tx, type: CheckTxType.new }),
  }
}
