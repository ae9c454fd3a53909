import { CONFIG_ERRORS, ConfigError } from './errors.ts'
import { type Config, SECTIONS } from './sections.ts'

/**
 * Throws a `ConfigError` for a setting that this version does not support. If the setting were ignored, the node would
 * not do what the configuration asks for.
 */
export function refuseUnsupported({ txIndex }: Config): void {
  const refuse = (key: string, value: string, why: string): never => {
    const message = `error in config: ${key} = ${value}: not built in this version of halley: ${why}`
    throw new ConfigError(CONFIG_ERRORS.notBuilt, message, { data: { key, value } })
  }
  if (txIndex.indexer === 'psql') {
    refuse(
      'tx_index.indexer',
      '"psql"',
      'set it to "kv" for an index in the home, which tx_search and block_search use, or to "null" for no index',
    )
  }
}

/**
 * The pprof address that the Cosmos SDK writes into each new home. An operator who keeps this address has not asked for
 * pprof.
 */
const SDK_PPROF = 'localhost:6060'

/**
 * Returns a line for each configured feature that this version does not have, if the node can run without the
 * feature.
 */
export function unsupportedFeatures({ base, rpc, p2p, mempool, consensus }: Config): readonly string[] {
  const usual = {
    events: SECTIONS.base.event_bus_buffer_capacity.fallback,
    flush: SECTIONS.p2p.flush_throttle_timeout.fallback,
    gossip: SECTIONS.consensus.peer_gossip_sleep_duration.fallback,
  }
  const asked: readonly (readonly [boolean, string])[] = [
    [rpc.pprofLaddr !== '' && rpc.pprofLaddr !== SDK_PPROF, 'pprof (rpc.pprof_laddr)'],
    [mempool.walDir !== '', 'the mempool log (mempool.wal_dir)'],
    [
      base.eventBusBufferCapacity !== usual.events,
      'the size of the event bus buffer (event_bus_buffer_capacity): the event bus has no buffer',
    ],
    [
      p2p.flushThrottleTimeout !== usual.flush,
      'the wait before messages are sent (p2p.flush_throttle_timeout): they are sent at once',
    ],
    [
      consensus.peerGossipSleepDuration !== usual.gossip,
      'the wait between rounds of gossip (consensus.peer_gossip_sleep_duration): a peer gets what it lacks at once',
    ],
  ]
  return asked.filter(([wanted]) => wanted).map(([, line]) => line)
}
