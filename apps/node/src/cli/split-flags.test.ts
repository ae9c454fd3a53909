import { describe, expect, test } from 'vitest'
import { splitFlags } from './split-flags.ts'

describe('flags', () => {
  test('default: a flag may have - or _, a value after = or a space, and its last value counts', () => {
    const { flags, home, remaining } = splitFlags([
      'start',
      '--proxy-app=kvstore',
      '--rpc.laddr',
      'tcp://a:1',
      '--home',
      '/h',
      '--proxy_app',
      'noop',
      '--p2p.external_address=x',
      '--mempool.keep_invalid_txs_in_cache',
    ])
    expect(Object.fromEntries(flags)).toEqual({
      proxy_app: 'noop',
      'rpc.laddr': 'tcp://a:1',
      'p2p.external_address': 'x',
      'mempool.keep-invalid-txs-in-cache': 'true',
    })
    expect(home).toBe('/h')
    expect(remaining).toEqual(['start'])
  })

  test('behavior: a switch takes a value only after =', () => {
    const { flags, remaining } = splitFlags(['start', '--p2p.pex=false', '--rpc.unsafe', 'false'])
    expect(Object.fromEntries(flags)).toEqual({ 'p2p.pex': 'false', 'rpc.unsafe': 'true' })
    expect(remaining).toEqual(['start', 'false'])
  })

  test('behavior: arguments that are not configuration keys go to the command', () => {
    const { flags, remaining } = splitFlags([
      'testnet',
      '--v',
      '2',
      '--version',
      '--hard=true',
      '--populate-persistent-peers=false',
      '--',
      '--moniker',
    ])
    expect(flags.size).toBe(0)
    expect(remaining).toEqual([
      'testnet',
      '--v',
      '2',
      '--version',
      '--hard=true',
      '--populate-persistent-peers=false',
      '--',
      '--moniker',
    ])
  })

  test('error: a flag without its value is refused', () => {
    expect(() => splitFlags(['start', '--rpc.laddr'])).toThrow('flag needs an argument: --rpc.laddr')
  })
})
