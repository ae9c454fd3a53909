import { formatDuration } from '@org/types'
import { wrongValue } from './errors.ts'
import type { Config } from './sections.ts'

const SECOND = 1_000_000_000n

interface Rule {
  readonly key: string
  readonly value: unknown
  readonly holds: boolean
  readonly allowed: string
}

function stateSyncRules({ statesync }: Config): readonly Rule[] {
  if (!statesync.enable) return []
  const servers = statesync.rpcServers
  return [
    {
      key: 'statesync.rpc_servers',
      value: servers,
      holds: servers.length >= 2 && servers.every((server) => server !== ''),
      allowed: 'at least two addresses, none empty',
    },
    {
      key: 'statesync.discovery_time',
      value: formatDuration(statesync.discoveryTime),
      holds: statesync.discoveryTime === 0n || statesync.discoveryTime >= 5n * SECOND,
      allowed: '"0s" or at least "5s"',
    },
    {
      key: 'statesync.trust_period',
      value: formatDuration(statesync.trustPeriod),
      holds: statesync.trustPeriod > 0n,
      allowed: 'above zero',
    },
    {
      key: 'statesync.trust_height',
      value: statesync.trustHeight,
      holds: statesync.trustHeight > 0,
      allowed: 'a height from 1: halley snapshot trust-root prints it',
    },
    {
      key: 'statesync.trust_hash',
      value: statesync.trustHash,
      holds: /^[\da-f]{64}$/i.test(statesync.trustHash),
      allowed: 'the hash of the block at trust_height, 64 hex digits: halley snapshot trust-root prints it',
    },
    {
      key: 'statesync.chunk_request_timeout',
      value: formatDuration(statesync.chunkRequestTimeout),
      holds: statesync.chunkRequestTimeout >= 5n * SECOND,
      allowed: 'at least "5s"',
    },
    {
      key: 'statesync.chunk_fetchers',
      value: statesync.chunkFetchers,
      holds: statesync.chunkFetchers > 0,
      allowed: 'at least 1',
    },
    {
      key: 'statesync.max_snapshot_chunks',
      value: statesync.maxSnapshotChunks,
      holds: statesync.maxSnapshotChunks > 0,
      allowed: 'at least 1',
    },
  ]
}

/** Checks keys that depend on each other. `sourceOf` returns the source of a key's value. Throws a `ConfigError`. */
export function checkTogether(config: Config, sourceOf: (path: string) => string): void {
  const { base, rpc, mempool, consensus } = config
  const { privValidatorLaddr: signers, privValidatorSignerId: signerId } = base
  const rules: readonly Rule[] = [
    {
      key: 'priv_validator_laddr',
      value: signers,
      holds: signers === '' || /^(unix:\/\/.+|(tcp:\/\/)?(\[[^\]]+\]|[^:/]*):\d{1,5})$/.test(signers),
      allowed: 'empty, tcp://host:port or unix://path',
    },
    {
      key: 'priv_validator_signer_id',
      value: signerId,
      holds: signerId === '' || (/^[\da-f]{40}$/i.test(signerId) && signers !== '' && !signers.startsWith('unix:')),
      allowed: 'empty, or 40 hex digits together with a priv_validator_laddr of the form tcp://host:port',
    },
    {
      key: 'rpc.experimental_websocket_write_buffer_size',
      value: rpc.experimentalWebsocketWriteBufferSize,
      holds: rpc.experimentalWebsocketWriteBufferSize >= rpc.experimentalSubscriptionBufferSize,
      allowed: `at least experimental_subscription_buffer_size (${rpc.experimentalSubscriptionBufferSize})`,
    },
    {
      key: 'consensus.create_empty_blocks',
      value: consensus.createEmptyBlocks,
      holds: consensus.createEmptyBlocks || mempool.type !== 'nop',
      allowed: 'true with the "nop" mempool',
    },
    ...stateSyncRules(config),
  ]
  for (const { key, value, holds, allowed } of rules) {
    if (!holds) throw wrongValue({ source: sourceOf(key), key, value, allowed })
  }
}
