import { expect, test } from 'vitest'
import { resolveConfig } from './resolve-config.ts'
import { unbuiltFeatures } from './unbuilt.ts'

const asked = (flags: Readonly<Record<string, string>>): readonly string[] =>
  unbuiltFeatures(resolveConfig({ home: '/home', flags: new Map(Object.entries(flags)) }).config)

test('default: what a new home asks for is built', () => {
  expect(asked({})).toEqual([])
})

test.each([
  ['rpc.pprof_laddr', '127.0.0.1:1'],
  ['mempool.wal_dir', 'log'],
  ['event_bus_buffer_capacity', '10'],
  ['p2p.flush_throttle_timeout', '1s'],
  ['consensus.peer_gossip_sleep_duration', '1s'],
  ['tx_index.indexer', 'psql'],
])('behavior: %s is accepted, and said once', (key, value) => {
  expect(asked({ [key]: value })).toEqual([expect.stringContaining(key)])
})
