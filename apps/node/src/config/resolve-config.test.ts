import { describe, expect, test } from 'vitest'
import { ConfigError } from './errors.ts'
import { DEVNET_ALWAYS, TEST_PRESET } from './presets.ts'
import { type ConfigSources, resolveConfig } from './resolve-config.ts'
import { CONFIG_KEYS } from './sections.ts'
import { withBackfillNote } from './template/statesync.ts'
import { configToToml } from './write-config.ts'

const resolve = (text: string, more: Partial<ConfigSources> = {}) =>
  resolveConfig({ home: '/home', file: { path: 'config.toml', text }, ...more })

const STATE_SYNC = '[statesync]\nenable = true\nrpc_servers = "a,b"\ntrust_height = 1\ntrust_hash = '

function errorOf(run: () => unknown): ConfigError {
  try {
    run()
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('expected a ConfigError')
}

describe('configuration', () => {
  test('default: an empty file gives the defaults, and a written file reads back equal', () => {
    const { config } = resolve('')
    expect(config.rpc.laddr).toBe('tcp://127.0.0.1:26657')
    expect(config.consensus.timeoutPropose).toBe(3_000_000_000n)
    expect(config.mempool.keepInvalidTxsInCache).toBe(false)
    expect(config.txIndex.psqlConn).toBe('')
    const read = resolve(configToToml(config))
    expect(read.config).toEqual(config)
    expect(read.unknown).toEqual([])
  })

  test('behavior: every key of the table is in the file, and no other', () => {
    const text = configToToml(resolve('').config)
    const written = text.split('\n').filter((line) => /^[\w-]+ = /.test(line))
    expect(written).toHaveLength(CONFIG_KEYS.filter(({ key }) => key.isHalleyOnly !== true).length)
  })

  test('behavior: a flag has precedence over a variable, then the file, then a preset', () => {
    const env = {
      HALLEY_RPC_LADDR: 'tcp://halley:1',
      CMT_RPC_LADDR: 'tcp://cmt:1',
      CMTMONIKER: 'env',
      CMT_PROXY_APP: '',
    }
    const file = 'moniker = "file"\nproxy_app = "noop"\n[rpc]\nladdr = "tcp://file:1"\n'
    const { config } = resolve(file, { env, flags: new Map([['moniker', 'flag']]), preset: { db_dir: 'preset' } })
    expect(config.rpc.laddr).toBe('tcp://halley:1')
    expect(config.base.moniker).toBe('flag')
    expect(config.base.proxyApp).toBe('noop')
    expect(config.base.dbDir).toBe('preset')
  })

  test('behavior: a value of the command has precedence over the file, and a flag or a variable over both', () => {
    const file = '[rpc]\nexplorer = false\n'
    const explorer = (more: Partial<ConfigSources> = {}) =>
      resolve(file, { overFile: DEVNET_ALWAYS, ...more }).config.rpc.explorer
    expect(resolve(file).config.rpc.explorer).toBe(false)
    expect(explorer()).toBe(true)
    expect(explorer({ flags: new Map([['rpc.explorer', 'false']]) })).toBe(false)
    expect(explorer({ env: { HALLEY_RPC_EXPLORER: 'false' } })).toBe(false)
  })

  test('behavior: values are read as by the reference, and keys in any case', () => {
    const { config } = resolve(
      '[RPC]\nMax_Open_Connections = "0x10"\nunsafe = 1\ncors_allowed_origins = "a,b"\n[consensus]\ntimeout_commit = 5\n[statesync]\nchunk_fetchers = "7"\n',
    )
    expect(config.rpc.maxOpenConnections).toBe(16)
    expect(config.rpc.unsafe).toBe(true)
    expect(config.rpc.corsAllowedOrigins).toEqual(['a', 'b'])
    expect(config.consensus.timeoutCommit).toBe(5n)
    expect(config.statesync.chunkFetchers).toBe(7)
  })

  test('behavior: unknown keys are reported, but not the keys that the reference has', () => {
    const { unknown } = resolve('home = "x"\nnope = 1\n[rpc]\nfoo = 1\n[p2p]\ntest_fuzz = true\n[other]\na = 1\n')
    expect(unknown).toEqual(['nope', 'rpc.foo', 'other'])
  })

  test('behavior: keys that only Halley has are written only if they are set', () => {
    const { config } = resolve('[rpc]\nstrict = true\n[tx_index]\nprune = true\n')
    const text = configToToml(config)
    expect(text).toContain('\nstrict = true\n')
    expect(resolve(text).config).toEqual(config)
    expect(configToToml(resolve('').config)).not.toContain('\nstrict = ')
  })

  test('behavior: the comment about the backfill is written only if state sync is enabled, and only once', () => {
    const comment = '# Halley also uses these servers after the start from a snapshot.'
    const enabled = resolve(`${STATE_SYNC}"${'ab'.repeat(32)}"\n`).config
    const text = configToToml(enabled)
    expect(text).toMatch(/\n# stored"\.\nrpc_servers = "a,b"\n/)
    expect(withBackfillNote(text).split(comment)).toHaveLength(2)
    expect(resolve(text).config).toEqual(enabled)
    expect(configToToml(resolve('').config)).not.toContain(comment)
  })

  test('behavior: a signer id is accepted only for a signer that connects over TCP', () => {
    const id = 'priv_validator_signer_id = "0123456789abcdef0123456789ABCDEF01234567"\n'
    const { config } = resolve(`priv_validator_laddr = "tcp://127.0.0.1:26659"\n${id}`)
    expect(resolve(configToToml(config)).config).toEqual(config)
    expect(configToToml(config)).toContain(id)
    for (const other of ['', 'priv_validator_laddr = "unix:///a.sock"\n']) {
      const error = errorOf(() => resolve(other + id))
      expect([error.code, error.message]).toEqual(['CONFIG_VALUE', expect.stringContaining('tcp://host:port')])
    }
    const short = 'priv_validator_laddr = "tcp://127.0.0.1:26659"\npriv_validator_signer_id = "01"\n'
    expect(errorOf(() => resolve(short)).code).toBe('CONFIG_VALUE')
  })

  test('behavior: texts with quotes, backslashes and control characters survive', () => {
    const moniker = 'a"b\\c\u0001\u007f\n→'
    const { config } = resolve('', { flags: new Map([['moniker', moniker]]) })
    expect(resolve(configToToml(config)).config.base.moniker).toBe(moniker)
  })

  test('behavior: the test preset is valid', () => {
    expect(resolveConfig({ home: '/', preset: TEST_PRESET }).config.consensus.timeoutCommit).toBe(10_000_000n)
  })

  test.each([
    ['[rpc]\nmax_open_connections = -1\n', 'rpc.max_open_connections', '-1', 'a whole number from 0'],
    ['[rpc]\nmax_open_connections = "x"\n', 'rpc.max_open_connections', '"x"', 'a whole number from 0'],
    ['[p2p]\nmax_packet_msg_payload_size = 0\n', 'p2p.max_packet_msg_payload_size', '0', 'a whole number from 1'],
    ['[consensus]\ntimeout_commit = "1"\n', 'consensus.timeout_commit', '"1"', 'a duration'],
    ['[consensus]\nblock_time_tolerance = "0s"\n', 'consensus.block_time_tolerance', '"0s"', 'above zero'],
    ['log_format = "xml"\n', 'log_format', '"xml"', 'one of "plain", "json"'],
    ['[mempool]\ntype = "other"\n', 'mempool.type', '"other"', 'one of "flood", "nop"'],
    ['[rpc]\nunsafe = "yes"\n', 'rpc.unsafe', '"yes"', 'true or false'],
    ['version = "1"\n', 'version', '"1"', 'a version'],
    ['[rpc]\nexperimental_subscription_buffer_size = 99\n', 'rpc.experimental_subscription_buffer_size', '99', '100'],
    [
      '[rpc]\nexperimental_subscription_buffer_size = 300\n',
      'rpc.experimental_websocket_write_buffer_size',
      '200',
      '300',
    ],
    [
      '[mempool]\ntype = "nop"\n[consensus]\ncreate_empty_blocks = false\n',
      'consensus.create_empty_blocks',
      'false',
      'nop',
    ],
    ['[statesync]\nenable = true\n', 'statesync.rpc_servers', '[]', 'at least two'],
    [`${STATE_SYNC}"ABCD"\n`, 'statesync.trust_hash', '"ABCD"', '64 hex digits'],
    [`${STATE_SYNC}""\n`, 'statesync.trust_hash', '""', '64 hex digits'],
    ['[blocksync]\nversion = "v2"\n', 'blocksync.version', '"v2"', 'one of "v0"'],
  ])(
    'error: the error for a wrong value names file, key, value and the allowed values: %s',
    (text, key, value, allowed) => {
      const error = errorOf(() => resolve(text))
      expect(error.code).toBe('CONFIG_VALUE')
      expect(error.data).toMatchObject({ key, value })
      expect(error.message).toContain(allowed)
    },
  )

  test('error: the error for a file that is not TOML names the line', () => {
    const error = errorOf(() => resolve('a = 1\nb = = 2\n'))
    expect(error.code).toBe('CONFIG_SYNTAX')
    expect(error.message).toMatch(/^error in config file: config\.toml:2:5: /)
  })
})
