import type { Config } from './sections.ts'

/** One line for each thing that the configuration asks for and this version does not do. */
export function unbuiltFeatures({ rpc, mempool, statesync, txIndex }: Config): readonly string[] {
  const asked: readonly (readonly [boolean, string])[] = [
    [statesync.enable, 'state sync (statesync.enable)'],
    [rpc.grpcLaddr !== '', 'the gRPC broadcast service (rpc.grpc_laddr)'],
    [rpc.pprofLaddr !== '', 'pprof (rpc.pprof_laddr)'],
    [mempool.walDir !== '', 'the mempool log (mempool.wal_dir)'],
    [txIndex.indexer === 'psql', 'the PostgreSQL indexer (tx_index.indexer = "psql"): nothing is indexed'],
  ]
  return asked.filter(([wanted]) => wanted).map(([, line]) => line)
}
