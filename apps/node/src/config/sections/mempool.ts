import { key } from '../key.ts'
import { duration, flag, integer, oneOf, text } from '../kinds.ts'

export const MEMPOOL = {
  type: key(oneOf('flood', 'nop', ''), 'flood'),
  recheck: key(flag, true),
  recheck_timeout: key(duration(), 1_000_000_000n),
  broadcast: key(flag, true),
  wal_dir: key(text, ''),
  size: key(integer(), 5000),
  max_txs_bytes: key(integer(), 1024 * 1024 * 1024),
  cache_size: key(integer(), 10_000),
  'keep-invalid-txs-in-cache': key(flag, false),
  max_tx_bytes: key(integer(), 1024 * 1024),
  max_batch_bytes: key(integer({ min: Number.MIN_SAFE_INTEGER }), 0),
  experimental_max_gossip_connections_to_persistent_peers: key(integer(), 0),
  experimental_max_gossip_connections_to_non_persistent_peers: key(integer(), 0),
}
