import { key } from '../key.ts'
import { duration, flag, integer, text } from '../kinds.ts'

const MILLISECOND = 1_000_000n

export const CONSENSUS = {
  wal_file: key(text, 'data/cs.wal/wal'),
  timeout_propose: key(duration(), 3000n * MILLISECOND),
  timeout_propose_delta: key(duration(), 500n * MILLISECOND),
  timeout_prevote: key(duration(), 1000n * MILLISECOND),
  timeout_prevote_delta: key(duration(), 500n * MILLISECOND),
  timeout_precommit: key(duration(), 1000n * MILLISECOND),
  timeout_precommit_delta: key(duration(), 500n * MILLISECOND),
  timeout_commit: key(duration(), 1000n * MILLISECOND),
  double_sign_check_height: key(integer(), 0, {
    help: 'number N of blocks: refuse to start if this validator signed one of the last N blocks; 0 means no check',
  }),
  skip_timeout_commit: key(flag, false),
  create_empty_blocks: key(flag, true, {
    help: 'make blocks even without transactions; with false, a block is made only if there are transactions or the app hash changed',
  }),
  create_empty_blocks_interval: key(duration(), 0n, { help: 'pause before an empty block' }),
  peer_gossip_sleep_duration: key(duration(), 100n * MILLISECOND),
  peer_query_maj23_sleep_duration: key(duration(), 2000n * MILLISECOND),
  block_time_tolerance: key(duration({ min: 1n }), 60_000n * MILLISECOND),
}
