import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { block, sendTx, storedValue } from './support/chain.ts'
import { startLyingNode } from './support/lying-node.ts'
import { temporaryFolder } from './support/process.ts'
import { configure, createTestnet, type NetworkNode, reached } from './support/testnet.ts'

/** Starts a chain of two validators, and makes the home of a node that will join the chain by state sync. */
async function chainAndNewcomer(application = 'persistent_kvstore') {
  const nodes = await createTestnet({
    kinds: ['halley', 'halley', 'halley'],
    validators: 2,
    config: { 'consensus.timeout_commit': '"5ms"' },
    application: (index) => (index === 2 ? application : 'kvstore'),
  })
  const [first, second, late] = nodes as [NetworkNode, NetworkNode, NetworkNode]
  first.start()
  second.start()
  await reached(2, [first, second])
  await sendTx(first, 'before=snapshot')
  await reached(120, [first, second], 60_000)
  const trusted = await block(first, 10)
  const temporary = temporaryFolder()
  const servers = [first, second].map(({ rpcPort }) => `127.0.0.1:${rpcPort}`)
  const right = {
    'statesync.enable': 'true',
    'statesync.rpc_servers': `"${servers.join(',')}"`,
    'statesync.trust_height': '10',
    'statesync.trust_hash': `"${trusted.block_id.hash}"`,
    'statesync.trust_period': '"168h0m0s"',
    'statesync.discovery_time': '"5s"',
    'statesync.temp_dir': `"${temporary}"`,
  }
  return { nodes, first, second, late, temporary, servers, right }
}

/** Starts the node, waits for its end, and returns what this start added to the log. */
async function failingStart(node: NetworkNode): Promise<string> {
  const before = existsSync(join(node.home, 'log')) ? node.log().length : 0
  node.start()
  await node.ended()
  return node.log().slice(before)
}

/** Waits until the log of the node matches `pattern`. */
async function saw(node: NetworkNode, pattern: RegExp): Promise<void> {
  await expect.poll(() => node.log(), { timeout: 60_000, interval: 20 }).toMatch(pattern)
}

/** Returns the lines of a log that report the error with which a command ended. */
const errorLines = (log: string): readonly string[] => log.split('\n').filter((line) => /^ERROR: /.test(line))

test('error: each mistake in [statesync] ends the start with one line with a code, and stores nothing that a later start trusts', async () => {
  const { late, nodes, temporary, servers, right } = await chainAndNewcomer()
  const pruned = await Promise.all(servers.map((server) => startLyingNode(`http://${server}`)))
  for (const server of pruned) server.refuse('height 10 is not available, lowest height is 50')
  const liar = await startLyingNode(`http://${servers[1]}`)
  liar.lie({ method: 'commit', path: ['signed_header', 'header', 'app_hash'] })
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, readonly RegExp[]])[] = [
    ['no trust hash', { 'statesync.trust_hash': '""' }, [/CONFIG_VALUE/, /64 hex digits/]],
    ['a short trust hash', { 'statesync.trust_hash': '"ABCD"' }, [/CONFIG_VALUE/, /64 hex digits/]],
    ['one server', { 'statesync.rpc_servers': `"${servers[0]}"` }, [/CONFIG_VALUE/, /at least two/]],
    [
      'a wrong trust hash',
      { 'statesync.trust_hash': `"${'AB'.repeat(32)}"` },
      [/STATESYNC_SERVERS/, /correct statesync\.trust_height and statesync\.trust_hash/],
    ],
    [
      'a future height',
      { 'statesync.trust_height': '100000000' },
      [/STATESYNC_SERVERS/, /100000000.*correct statesync\.trust_height/],
    ],
    ['an expired root', { 'statesync.trust_period': '"1ns"' }, [/STATESYNC_SERVERS/, /halley snapshot trust-root/]],
    [
      'a height that all servers have pruned',
      { 'statesync.rpc_servers': `"${pruned.map(({ url }) => url).join(',')}"` },
      [/STATESYNC_SERVERS/, /have the block of trust_height/],
    ],
    [
      'a server that lies',
      { 'statesync.rpc_servers': `"${servers[0]},${liar.url}"` },
      [/STATESYNC_SERVERS/, /statesync\.rpc_servers/],
    ],
    [
      'a temp_dir that is a file',
      { 'statesync.temp_dir': `"${file}"` },
      [/STATESYNC_TEMP_DIR/, /set statesync\.temp_dir/],
    ],
  ]
  for (const [mistake, keys, wanted] of cases) {
    configure(late, { ...right, ...keys })
    const log = await failingStart(late)
    expect(errorLines(log), mistake).toHaveLength(1)
    for (const pattern of wanted) expect(errorLines(log)[0], mistake).toMatch(pattern)
    expect(readdirSync(temporary), mistake).toEqual([])
  }
  const genesis = join(late.home, 'config/genesis.json')
  const ownGenesis = readFileSync(genesis, 'utf8')
  writeFileSync(genesis, JSON.stringify({ ...JSON.parse(ownGenesis), chain_id: 'another-chain' }))
  configure(late, right)
  const [line = '', ...others] = errorLines(await failingStart(late))
  expect([line, others]).toEqual([
    expect.stringMatching(/another-chain.*rpc_servers and the genesis file are of the same chain.*STATESYNC_SERVERS/),
    [],
  ])
  writeFileSync(genesis, ownGenesis)
  late.start()
  await reached(130, nodes, 90_000)
  expect(await storedValue(late, 'before')).toBe('snapshot')
}, 240_000)

test('behavior: servers that do not answer are named in the log, and a node that was killed begins again', async () => {
  const { nodes, late, right } = await chainAndNewcomer()
  configure(late, { ...right, 'statesync.rpc_servers': '"127.0.0.1:1,127.0.0.1:2"' })
  late.start()
  await saw(late, /RPC server does not answer; the node will ask again.*127\.0\.0\.1:1/)
  await late.stop('SIGKILL')
  configure(late, right)
  // The node is killed twice: before it chooses a snapshot, and while it restores a snapshot.
  for (const moment of [/Discovering snapshots/, /Offering snapshot|phase=restoring|phase=proving/]) {
    late.start()
    await saw(late, moment)
    await late.stop('SIGKILL')
  }
  late.start()
  await reached(130, nodes, 90_000)
  expect(await storedValue(late, 'before')).toBe('snapshot')
  const { sync_info: sync } = await late.rpc<{ sync_info: { earliest_block_height: string } }>('status')
  expect(Number(sync.earliest_block_height)).toBeGreaterThan(50)
}, 240_000)

test('error: an application that loses its data after state sync ends the next start with advice', async () => {
  const { nodes, late, right } = await chainAndNewcomer('kvstore')
  configure(late, right)
  late.start()
  await reached(130, nodes, 90_000)
  await late.stop()
  const lines = errorLines(await failingStart(late))
  expect(lines).toEqual([expect.stringMatching(/persistent_kvstore.*HANDSHAKE_APP_TOO_LOW/)])
}, 240_000)
