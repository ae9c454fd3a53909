import { type Config, SECTIONS } from './sections.ts'

/** One line for each thing that the configuration asks for and this version does not do. */
export function unbuiltFeatures({ base, rpc, p2p, mempool, statesync, consensus, txIndex }: Config): readonly string[] {
  const usual = {
    events: SECTIONS.base.event_bus_buffer_capacity.fallback,
    flush: SECTIONS.p2p.flush_throttle_timeout.fallback,
    gossip: SECTIONS.consensus.peer_gossip_sleep_duration.fallback,
  }
  const asked: readonly (readonly [boolean, string])[] = [
    [statesync.enable, 'state sync (statesync.enable)'],
    [rpc.pprofLaddr !== '', 'pprof (rpc.pprof_laddr)'],
    [mempool.walDir !== '', 'the mempool log (mempool.wal_dir)'],
    [txIndex.indexer === 'psql', 'the PostgreSQL indexer (tx_index.indexer = "psql"): nothing is indexed'],
    [
      base.eventBusBufferCapacity !== usual.events,
      'a buffer of the event bus (event_bus_buffer_capacity): it has none',
    ],
    [p2p.flushThrottleTimeout !== usual.flush, 'a wait before sending (p2p.flush_throttle_timeout): there is none'],
    [
      consensus.peerGossipSleepDuration !== usual.gossip,
      'a wait between looks at a peer (consensus.peer_gossip_sleep_duration): it is told what it lacks at once',
    ],
  ]
  return asked.filter(([wanted]) => wanted).map(([, line]) => line)
}
