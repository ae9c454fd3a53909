import { key } from '../key.ts'
import { commaList, duration, flag, integer, oneOf, text } from '../kinds.ts'

const SECOND = 1_000_000_000n
const anyInteger = { min: Number.MIN_SAFE_INTEGER }

export const STATESYNC = {
  enable: key(flag, false),
  rpc_servers: key(commaList, []),
  trust_height: key(integer(anyInteger), 0),
  trust_hash: key(text, ''),
  trust_period: key(duration(), 168n * 3600n * SECOND),
  discovery_time: key(duration(), 15n * SECOND),
  temp_dir: key(text, ''),
  chunk_request_timeout: key(duration(), 10n * SECOND),
  chunk_fetchers: key(integer({ max: 2 ** 31 - 1, quoted: true }), 4),
  max_snapshot_chunks: key(integer({ max: 2 ** 32 - 1 }), 100_000),
}

export const BLOCKSYNC = { version: key(oneOf('v0'), 'v0') }
