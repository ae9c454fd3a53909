import { defaultConsensusParams, type EventData } from '@org/types'
import { bytesToHex, bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { publicKeyOf } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { parseQuery } from '../../src/events/query/index.ts'
import { valTx } from './tally-app.ts'
import { createTestNetwork, keyOf, type TestNode } from './test-network.ts'

function headersOf({ engine }: TestNode, upTo: number): string[] {
  return Array.from({ length: upTo }, (_, i) => {
    const meta = engine.blockStore.loadBlockMeta(i + 1)
    return meta === undefined ? '' : `${bytesToHex(meta.blockId.hash)} ${bytesToHex(meta.header.appHash)}`
  })
}

test('default: four validators make the same 200 blocks from the transactions that each of them received', async () => {
  await using network = createTestNetwork({ consensus: { timeoutCommit: 1_000_000n } })
  const { nodes, add, reached } = network
  for (let i = 0; i < 4; i++) await add()
  const sent: string[] = []
  for (const height of [2, 60, 120, 180]) {
    await reached(height)
    const batch = nodes.map((_, i) => `from=${i} at=${height}`)
    await Promise.all(nodes.map(({ engine }, i) => engine.mempool.checkTx(utf8ToBytes(batch[i] ?? ''))))
    sent.push(...batch)
  }
  await reached(200)
  const [first, ...others] = nodes.map((node) => headersOf(node, 200))
  for (const other of others) expect(other).toEqual(first)
  for (const height of [1, 100, 200]) {
    const [set, ...sets] = nodes.map(({ engine }) => engine.stateStore.loadValidators(height))
    for (const other of sets) expect(other).toEqual(set)
  }
  for (const { app } of nodes) expect([...app.txs].sort()).toEqual([...sent].sort())
  // Every validator has proposed blocks. Most blocks contain the precommits of every validator, because the precommits
  // reached the next proposer in time.
  const blocks = Array.from({ length: 199 }, (_, i) => nodes[0]?.engine.blockStore.loadBlock(i + 2))
  expect(new Set(blocks.map((block) => bytesToHex(block?.header.proposerAddress ?? utf8ToBytes('')))).size).toBe(4)
  for (const index of nodes.keys()) {
    const signed = blocks.filter((block) => block?.lastCommit?.signatures[index]?.blockIdFlag === 2).length
    expect(signed).toBeGreaterThan(100)
  }
}, 60_000)

test('behavior: twelve nodes that know one seed find each other, and their validators make blocks', async () => {
  const validators = [2, 3, 4, 5].map((index) => ({
    address: new Uint8Array(0),
    pubKey: publicKeyOf(keyOf(index)),
    power: 10n,
    name: '',
  }))
  await using network = createTestNetwork({ seeded: true, genesis: { validators } })
  const { nodes, add } = network
  for (let i = 0; i < 13; i++) await add()
  const [seed, ...others] = nodes
  const peersOf = ({ p2p: { peers } }: TestNode): readonly string[] =>
    peers.peers().flatMap(({ id }) => (id === seed?.address.id ? [] : [id]))
  await expect
    .poll(() => Math.min(...others.map((node) => peersOf(node).length)), { timeout: 30_000, interval: 100 })
    .toBeGreaterThanOrEqual(3)
  await network.reached(10, others)
  const [first, ...rest] = others.map((node) => headersOf(node, 10))
  for (const other of rest) expect(other).toEqual(first)
}, 90_000)

test('behavior: a node that joins later fetches the blocks, and votes once it is a validator', async () => {
  await using network = createTestNetwork()
  const { nodes, add, reached } = network
  for (let i = 0; i < 4; i++) await add()
  await reached(30)
  const late = await add()
  expect(late.engine.isWaitingForBlocks()).toBe(true)
  const steps: EventData[] = []
  const query = parseQuery("tm.event='NewRoundStep'")
  late.engine.events.subscribe({ subscriber: 'test', query, onItem: ({ data }) => steps.push(data) })
  await expect.poll(() => late.engine.isWaitingForBlocks(), { timeout: 10_000 }).toBe(false)
  const joined = late.engine.blockStore.height()
  // Block sync cannot fetch the commits that prove the last two blocks. So the node receives these two blocks through
  // consensus.
  expect(joined).toBeGreaterThanOrEqual(28)
  // The first step that a subscriber receives is NewHeight.
  await expect.poll(() => steps.length).toBeGreaterThan(1)
  const places = steps.map((step) => ('step' in step ? `${step.height}/${step.round}/${step.step}` : ''))
  expect(places[0]).toMatch(/^\d+\/0\/RoundStepNewHeight$/)
  expect(places.lastIndexOf(places[0] as string)).toBe(0)
  await nodes[0]?.engine.mempool.checkTx(utf8ToBytes(valTx(publicKeyOf(late.key).bytes, 10)))
  await reached(joined + 20)
  expect(headersOf(late, joined + 10)).toEqual(headersOf(nodes[0] as TestNode, joined + 10))
  await expect
    .poll(() => nodes[0]?.engine.blockStore.loadSeenCommit(nodes[0]?.engine.blockStore.height())?.signatures.length)
    .toBe(5)
  await expect
    .poll(
      () => {
        const store = nodes[0]?.engine.blockStore
        return store?.loadBlockCommit(store.height() - 1)?.signatures.every(({ blockIdFlag }) => blockIdFlag === 2)
      },
      { timeout: 10_000 },
    )
    .toBe(true)
}, 40_000)

test('behavior: with vote extensions, blocks made and synced carry them', async () => {
  const params = defaultConsensusParams()
  await using network = createTestNetwork({
    genesis: { consensusParams: { ...params, abci: { voteExtensionsEnableHeight: 2 } } },
    app: { extendVote: ({ height }) => ({ voteExtension: utf8ToBytes(`at ${height}`) }) },
  })
  const { nodes, add, reached } = network
  for (let i = 0; i < 4; i++) await add()
  await reached(12)
  const late = await add()
  await expect.poll(() => late.engine.isWaitingForBlocks(), { timeout: 10_000 }).toBe(false)
  const joined = late.engine.blockStore.height()
  await reached(joined + 5)
  expect(headersOf(late, joined)).toEqual(headersOf(nodes[0] as TestNode, joined))
  const extended = late.engine.blockStore.loadExtendedCommit(8)
  expect(
    extended?.extendedSignatures.filter(({ extension }) => bytesToUtf8(extension) === 'at 8').length,
  ).toBeGreaterThan(2)
}, 40_000)

test('behavior: a validator that was away catches up from its peers, without block sync', async () => {
  await using network = createTestNetwork()
  const { nodes, add, reached } = network
  for (let i = 0; i < 4; i++) await add()
  await reached(5)
  const away = nodes[3] as TestNode
  const others = nodes.slice(0, 3)
  for (const peer of away.p2p.peers.peers()) away.p2p.peers.stopPeer(peer, undefined)
  const from = away.engine.blockStore.height()
  await reached(from + 15, others)
  expect(away.engine.blockStore.height()).toBeLessThanOrEqual(from + 1)
  for (const other of others) await away.p2p.peers.dial(other.address)
  await reached(from + 25)
  expect(headersOf(away, from + 20)).toEqual(headersOf(nodes[0] as TestNode, from + 20))
}, 40_000)
