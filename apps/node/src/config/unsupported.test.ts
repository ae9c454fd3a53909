import { expect, test } from 'vitest'
import { resolveConfig } from './resolve-config.ts'
import type { Config } from './sections.ts'
import { refuseUnsupported, unsupportedFeatures } from './unsupported.ts'

const configOf = (flags: Readonly<Record<string, string>>): Config =>
  resolveConfig({ home: '/home', flags: new Map(Object.entries(flags)) }).config
const asked = (flags: Readonly<Record<string, string>>): readonly string[] => unsupportedFeatures(configOf(flags))

test('default: the settings of a new home are all built', () => {
  expect(asked({})).toEqual([])
  refuseUnsupported(configOf({}))
})

test('behavior: the pprof address that the Cosmos SDK writes into each home is not reported', () => {
  expect(asked({ 'rpc.pprof_laddr': 'localhost:6060' })).toEqual([])
})

test.each([
  ['rpc.pprof_laddr', '127.0.0.1:1'],
  ['mempool.wal_dir', 'log'],
  ['event_bus_buffer_capacity', '10'],
  ['p2p.flush_throttle_timeout', '1s'],
  ['consensus.peer_gossip_sleep_duration', '1s'],
])('behavior: %s is accepted, and named once in the log', (key, value) => {
  expect(asked({ [key]: value })).toEqual([expect.stringContaining(key)])
})

test.each([['tx_index.indexer = "psql"', { 'tx_index.indexer': 'psql' }]])(
  'error: %s is refused, and the error names the value to set',
  (setting, flags) => {
    expect(() => refuseUnsupported(configOf(flags))).toThrow(
      expect.objectContaining({
        code: 'CONFIG_NOT_BUILT',
        message: expect.stringMatching(new RegExp(`^error in config: ${setting}: not built .* set it to `)),
      }),
    )
  },
)
