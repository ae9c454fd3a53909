import type { Config } from './sections.ts'

/** One line for each thing that the configuration asks for and this version does not do. */
export function unbuiltFeatures({ base, rpc, p2p, mempool, statesync, txIndex }: Config): readonly string[] {
  const asked: readonly (readonly [boolean, string])[] = [
    [p2p.seeds !== '' || p2p.persistentPeers !== '', 'peers (p2p.seeds, p2p.persistent_peers): this node stays alone'],
    [p2p.seedMode, 'seed mode (p2p.seed_mode)'],
    [base.filterPeers, 'filter_peers'],
    [statesync.enable, 'state sync (statesync.enable)'],
    [rpc.grpcLaddr !== '', 'the gRPC broadcast service (rpc.grpc_laddr)'],
    [rpc.pprofLaddr !== '', 'pprof (rpc.pprof_laddr)'],
    [mempool.walDir !== '', 'the mempool log (mempool.wal_dir)'],
    [txIndex.indexer === 'psql', 'the PostgreSQL indexer (tx_index.indexer = "psql"): nothing is indexed'],
  ]
  return asked.filter(([wanted]) => wanted).map(([, line]) => line)
}
