import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agreement, block, powerTx, sendTx, signsLately, storedValue } from './support/chain.ts'
import { launch, temporaryFolder } from './support/process.ts'
import {
  configure,
  createTestnet,
  joinFrom,
  type NetworkNode,
  needsCometbft,
  POWER,
  reached,
  slowDown,
} from './support/testnet.ts'

const KVSTORE = new URL('../../kvstore/bin/kvstore', import.meta.url).pathname
const missing = needsCometbft('state sync of the Go node from Halley')

test('behavior: Halley restores a snapshot of Halley peers, and then signs as a validator', async () => {
  const nodes = await createTestnet({
    kinds: ['halley', 'halley', 'halley'],
    validators: 2,
    config: { 'consensus.timeout_commit': '"5ms"' },
    application: () => 'kvstore',
  })
  const [first, second, late] = nodes as [NetworkNode, NetworkNode, NetworkNode]
  first.start()
  second.start()
  await reached(2, [first, second])
  await sendTx(first, 'before=snapshot')
  await reached(120, [first, second], 120_000)
  const trusted = await block(first, 10)
  configure(late, joinFrom([first, second], trusted.block_id.hash))
  late.start()
  await reached(130, nodes, 90_000)
  const { sync_info: sync } = await late.rpc<{ sync_info: { earliest_block_height: string } }>('status')
  expect(Number(sync.earliest_block_height)).toBeGreaterThan(50)
  expect(late.log()).toContain('Snapshot restored')
  expect(await storedValue(late, 'before')).toBe('snapshot')
  await sendTx(first, await powerTx(late, POWER))
  await expect.poll(() => signsLately(late, first), { timeout: 60_000, interval: 100 }).toBe(true)
}, 240_000)

/**
 * The first height with vote extensions, for each of two tests. In the first test this height is below the snapshot,
 * and in the second test it is above the snapshot.
 */
const EXTENSIONS_FROM = [60, 150] as const

/** Sets the height from which precommits have vote extensions. */
const withExtensions =
  (from: number) =>
  ({ consensus_params: params }: Record<string, unknown>): void => {
    Object.assign(params as Record<string, unknown>, { abci: { vote_extensions_enable_height: String(from) } })
  }

test.skipIf(missing).each(EXTENSIONS_FROM)(
  'behavior: a Go node takes a snapshot of Halley peers, with a change of validators after it and vote extensions from height %i',
  async (extensionsFrom) => {
    // The reference's own kvstore takes no snapshots, so the Go node uses Halley's kvstore over the socket.
    const socket = `unix://${join(temporaryFolder(), 'app.sock')}`
    const app = launch(KVSTORE, ['--address', socket])
    await app.saw('kvstore: listening on')
    const nodes = await createTestnet({
      kinds: ['halley', 'halley', 'go'],
      validators: 2,
      config: { 'consensus.timeout_commit': '"5ms"' },
      application: (index) => (index === 2 ? socket : 'kvstore'),
      genesis: withExtensions(extensionsFrom),
    })
    const [first, second, late] = nodes as [NetworkNode, NetworkNode, NetworkNode]
    first.start()
    second.start()
    await reached(2, [first, second])
    await sendTx(first, 'before=snapshot')
    await reached(120, [first, second], 120_000)
    // The Go node cannot catch up with a chain that grows without a pause, so the validators now make fewer blocks.
    await slowDown([first, second])
    const trusted = await block(first, 10)
    configure(late, joinFrom([first, second], trusted.block_id.hash))
    late.start()
    // The kvstore of a peer takes a snapshot when the late node requests the list of snapshots. The log line
    // "Discovered new snapshot" shows that the snapshot exists. The test changes a validator's power only after this
    // line, so the change is in a block after the snapshot.
    await expect.poll(() => late.log(), { timeout: 60_000, interval: 20 }).toMatch(/Discovered new snapshot/)
    await sendTx(first, await powerTx(second, 2 * POWER))
    await reached(Math.max(extensionsFrom, 130) + 10, nodes, 120_000)
    const { sync_info: sync } = await late.rpc<{ sync_info: { earliest_block_height: string } }>('status')
    // The late node has fetched no block before the snapshot, so its stored blocks begin after the snapshot.
    expect(Number(sync.earliest_block_height)).toBeGreaterThan(50)
    expect(late.log()).toContain('Snapshot restored')
    expect(await storedValue(late, 'before')).toBe('snapshot')
    await sendTx(first, await powerTx(late, POWER))
    await expect.poll(() => signsLately(late, first), { timeout: 60_000, interval: 100 }).toBe(true)
    const at = (await first.height()) + 2
    await reached(at, nodes)
    const [one, ...others] = await Promise.all(nodes.map((node) => block(node, at)))
    for (const other of others) expect(other).toEqual(one)
  },
  300_000,
)

test.skipIf(needsCometbft('state sync of Halley from Go nodes')).each([60, 240])(
  'behavior: Halley takes a snapshot that Go peers serve, with a change of validators after it and vote extensions from height %i',
  async (extensionsFrom) => {
    // The reference's own kvstore takes no snapshots, so each Go node uses Halley's kvstore over the socket.
    const folder = temporaryFolder()
    const sockets = ['a', 'b'].map((name) => `unix://${join(folder, name)}`)
    for (const socket of sockets) await launch(KVSTORE, ['--address', socket]).saw('kvstore: listening on')
    const nodes = await createTestnet({
      kinds: ['go', 'go', 'halley'],
      validators: 2,
      config: { 'consensus.timeout_commit': '"5ms"' },
      application: (index) => sockets[index] ?? 'kvstore',
      genesis: withExtensions(extensionsFrom),
    })
    const [first, second, late] = nodes as [NetworkNode, NetworkNode, NetworkNode]
    first.start()
    second.start()
    await reached(2, [first, second])
    await sendTx(first, 'before=snapshot')
    await reached(120, [first, second], 120_000)
    const trusted = await block(first, 10)
    configure(late, joinFrom([first, second], trusted.block_id.hash))
    late.start()
    // The kvstore of a peer takes a snapshot when the late node requests the list of snapshots. The log line
    // "Discovered new snapshot" shows that the snapshot exists. The test changes a validator's power only after this
    // line, so the change is in a block after the snapshot.
    await expect.poll(() => late.log(), { timeout: 30_000, interval: 20 }).toMatch(/Discovered new snapshot/)
    await sendTx(first, await powerTx(second, 2 * POWER))
    await reached(Math.max(extensionsFrom, 150) + 20, nodes, 120_000)
    expect(late.log()).toContain('Snapshot restored')
    const { sync_info: sync } = await late.rpc<{ sync_info: { earliest_block_height: string } }>('status')
    expect(Number(sync.earliest_block_height)).toBeGreaterThan(50)
    // The height of the snapshot is between 60 and 240. So votes at this height have extensions if extensions begin at
    // height 60, and have none if extensions begin at height 240.
    const isEnabled = Number(sync.earliest_block_height) > extensionsFrom
    expect(isEnabled).toBe(extensionsFrom === 60)
    expect(await storedValue(late, 'before')).toBe('snapshot')
    await sendTx(first, await powerTx(late, POWER))
    await expect.poll(() => signsLately(late, first), { timeout: 60_000, interval: 100 }).toBe(true)
    const at = (await first.height()) + 2
    await reached(at, nodes)
    await agreement(nodes, at - 5, at)
  },
  300_000,
)
