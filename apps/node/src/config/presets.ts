/** Values by the path of their configuration key. They replace the default values of these keys. */
export type Preset = Readonly<Record<string, unknown>>

/** The preset of a devnet: a key-value store as the application, and a block about every half second. */
export const DEVNET_PRESET: Preset = {
  proxy_app: 'persistent_kvstore',
  moniker: 'devnet',
  log_level: 'error',
  'rpc.cors_allowed_origins': ['*'],
  'rpc.explorer': true,
  'p2p.laddr': 'tcp://127.0.0.1:0',
  'p2p.pex': false,
  'consensus.timeout_commit': '500ms',
}

/**
 * The values that every devnet uses. They always have precedence over the home's config.toml. The file may have other
 * values if the Go node or `halley init` made the home.
 */
export const DEVNET_ALWAYS: Preset = { 'rpc.explorer': true }

/** The preset of tests: short timeouts and unusual ports, as in the reference's own tests. */
export const TEST_PRESET: Preset = {
  proxy_app: 'kvstore',
  db_backend: 'memdb',
  'rpc.laddr': 'tcp://127.0.0.1:36657',
  'rpc.grpc_laddr': 'tcp://127.0.0.1:36658',
  'rpc.unsafe': true,
  'p2p.laddr': 'tcp://127.0.0.1:36656',
  'p2p.flush_throttle_timeout': '10ms',
  'p2p.allow_duplicate_ip': true,
  'mempool.cache_size': 1000,
  'consensus.timeout_propose': '40ms',
  'consensus.timeout_propose_delta': '1ms',
  'consensus.timeout_prevote': '10ms',
  'consensus.timeout_prevote_delta': '1ms',
  'consensus.timeout_precommit': '10ms',
  'consensus.timeout_precommit_delta': '1ms',
  'consensus.timeout_commit': '10ms',
  'consensus.skip_timeout_commit': true,
  'consensus.peer_gossip_sleep_duration': '5ms',
  'consensus.peer_query_maj23_sleep_duration': '250ms',
}
