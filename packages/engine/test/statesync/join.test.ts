import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultConsensusParams } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { StateSyncMessage } from '@org/types/messages'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type ProvenBlock, stateFromBlocks } from '../../src/execution/index.ts'
import { STATESYNC_CHANNELS } from '../../src/statesync/index.ts'
import type { StateProvider } from '../../src/statesync/restore/index.ts'
import type { KeyValueStore } from '../../src/store/index.ts'
import { createHostilePeer } from '../network/hostile-peer.ts'
import { createTestNetwork, type TestNetwork, type TestNetworkOptions, type TestNode } from '../network/test-network.ts'
import { createSnapshotApp } from './snapshot-app.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halley-join-'))
  return () => rmSync(folder, { recursive: true })
})

/** Three validators whose applications have snapshots. */
async function start(options: TestNetworkOptions = {}): Promise<TestNetwork> {
  const network = createTestNetwork({ validators: 3, ...options })
  onTestFinished(() => network.stop())
  for (let i = 0; i < 3; i++) await network.add({ app: createSnapshotApp(options.app) })
  await network.reached(13)
  return network
}

/**
 * Returns a state provider that takes the data from the stores of a node. A real state provider verifies them with a
 * light client.
 */
function providerOf({ engine: { blockStore, stateStore, genesis } }: TestNode): StateProvider {
  const blockAt = (height: number): ProvenBlock => {
    const [meta, commit] = [blockStore.loadBlockMeta(height), blockStore.loadBlockCommit(height)]
    if (meta === undefined || commit === undefined) throw new Error(`height ${height} is not there yet`)
    return { header: meta.header, commit, validators: stateStore.loadValidators(height) }
  }
  return {
    appHash: async (height) => {
      blockAt(height + 2)
      return blockAt(height + 1).header.appHash
    },
    commit: async (height) => blockAt(height).commit,
    state: async (height) =>
      stateFromBlocks(
        { last: blockAt(height), current: blockAt(height + 1), next: blockAt(height + 2) },
        { initialHeight: genesis.initialHeight, consensusParams: stateStore.loadConsensusParams(height + 1) },
      ),
  }
}

const joiningOf = (network: TestNetwork) => ({
  provider: providerOf(network.nodes[0] as TestNode),
  folder: join(folder, 'chunks'),
})

/** Checks that the node has restored a snapshot, and takes part in the chain. */
async function expectJoined(network: TestNetwork, node: TestNode): Promise<void> {
  const [other] = network.nodes as [TestNode]
  await expect.poll(() => node.engine.isWaitingForBlocks(), { timeout: 20_000 }).toBe(false)
  const height = node.engine.blockStore.height() + 3
  await network.reached(height)
  const [first, ...rest] = [other, node].map(({ engine }) => engine.blockStore.loadBlockMeta(height)?.header)
  expect(rest).toEqual([first])
  expect(node.engine.blockStore.base()).toBeGreaterThan(5)
  expect(readdirSync(folder)).toEqual([])
}

/** Stops a node, which the test starts again with the same databases. */
async function restart(network: TestNetwork, node: TestNode): Promise<void> {
  network.nodes.splice(network.nodes.indexOf(node), 1)
  await node.stop()
}

const notNeeded = (): Promise<never> => Promise.reject(new Error('state sync asked for a proof'))
const NO_PROVIDER: StateProvider = { appHash: notNeeded, state: notNeeded, commit: notNeeded }

test('default: a new node restores a snapshot of its peers, and continues with the chain', async () => {
  const network = await start()
  const app = createSnapshotApp()
  const node = await network.add({ app, stateSync: joiningOf(network) })
  expect(app.offered.length).toBe(1)
  await expectJoined(network, node)
  expect(node.engine.blockStore.base()).toBe((app.offered[0] ?? 0) + 1)
}, 60_000)

test('behavior: with vote extensions, the node waits for a block, also after a restart', async () => {
  const network = await start({
    genesis: { consensusParams: { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: 1 } } },
    app: { extendVote: ({ height }) => ({ voteExtension: utf8ToBytes(`at ${height}`) }) },
  })
  const app = createSnapshotApp({ extendVote: () => ({ voteExtension: utf8ToBytes('mine') }) })
  const stores = new Map<string, KeyValueStore>()
  const alone = await network.add({ app, stores, isAlone: true, stateSync: joiningOf(network) })
  expect(app.state().height).toBeGreaterThan(0)
  expect([alone.engine.isWaitingForBlocks(), alone.engine.blockStore.height()]).toEqual([true, 0])
  await restart(network, alone)
  const again = await network.add({ app, stores, stateSync: { ...joiningOf(network), provider: NO_PROVIDER } })
  await expectJoined(network, again)
  expect(app.offered.length).toBe(1)
}, 60_000)

test('behavior: a home with a chain does not begin with a snapshot', async () => {
  const network = await start()
  const [app, stores] = [createSnapshotApp(), new Map<string, KeyValueStore>()]
  const node = await network.add({ app, stores, stateSync: joiningOf(network) })
  await expectJoined(network, node)
  await restart(network, node)
  const again = await network.add({ app, stores, stateSync: { ...joiningOf(network), provider: NO_PROVIDER } })
  await expectJoined(network, again)
  expect(app.offered.length).toBe(1)
}, 60_000)

test('behavior: a peer with a false snapshot does not prevent the restore', async () => {
  const network = await start()
  const answered: string[] = []
  const value = { height: 11, format: 9, chunks: 2, hash: Uint8Array.of(6), metadata: new Uint8Array(0) }
  const liar = await createHostilePeer({
    ...{ hub: network.hub, ip: '10.9.0.1', chainId: network.genesis.chainId },
    onMessage: (peer, channel, bytes) => {
      if (channel !== STATESYNC_CHANNELS.snapshot && channel !== STATESYNC_CHANNELS.chunk) return
      const { sum } = StateSyncMessage.decode(bytes)
      const answer = (content: StateSyncMessage['sum']): void => {
        answered.push(content?.case ?? '')
        void peer.send(channel, StateSyncMessage.encode({ sum: content }))
      }
      if (sum?.case === 'snapshotsRequest') answer({ case: 'snapshotsResponse', value })
      if (sum?.case === 'chunkRequest') {
        answer({ case: 'chunkResponse', value: { ...sum.value, chunk: Uint8Array.of(7), missing: false } })
      }
    },
  })
  onTestFinished(() => liar.stop())
  const app = createSnapshotApp()
  const dial = [{ id: liar.id, ip: '10.9.0.1', port: 1 }]
  const stateSync = { ...joiningOf(network), dial, restore: { discoveryMs: 500, chunkRequestMs: 300 } }
  const node = await network.add({ app, stateSync })
  await expectJoined(network, node)
  expect(answered).toContain('chunkResponse')
  // The application was first offered the snapshot of the lying peer, and last a snapshot of an honest peer.
  expect(app.offered[0]).toBe(11)
  expect((app.offered.at(-1) ?? 0) % 5).toBe(0)
}, 60_000)

test('behavior: all chunks that are requested at once reach the only peer that offers them, without a time-out', async () => {
  const network = await start()
  const requested = new Set<number>()
  const snapshots: string[] = []
  const value = { height: 11, format: 9, chunks: 9, hash: Uint8Array.of(6), metadata: new Uint8Array(0) }
  const source = await createHostilePeer({
    ...{ hub: network.hub, ip: '10.9.0.1', chainId: network.genesis.chainId },
    onMessage: (peer, channel, bytes) => {
      if (channel !== STATESYNC_CHANNELS.snapshot && channel !== STATESYNC_CHANNELS.chunk) return
      const { sum } = StateSyncMessage.decode(bytes)
      if (sum?.case === 'chunkRequest') requested.add(sum.value.index)
      if (sum?.case === 'snapshotsResponse') snapshots.push(String(sum.value.height))
      if (sum?.case !== 'snapshotsRequest') return
      void peer.send(channel, StateSyncMessage.encode({ sum: { case: 'snapshotsResponse', value } }))
      // The peer requests snapshots too. The node that restores must not offer it any.
      void peer.send(channel, StateSyncMessage.encode({ sum: { case: 'snapshotsRequest', value: {} } }))
    },
  })
  onTestFinished(() => source.stop())
  const dial = [{ id: source.id, ip: '10.9.0.1', port: 1 }]
  const restore = { discoveryMs: 500, chunkRequestMs: 600_000, chunkFetchers: 6 }
  const app = createSnapshotApp({ listSnapshots: () => ({ snapshots: [{ ...value, height: 3 }] }) })
  const joined = network.add({ app, isAlone: true, stateSync: { ...joiningOf(network), dial, restore } })
  joined.catch(() => undefined)
  await expect.poll(() => requested.size, { timeout: 20_000 }).toBe(6)
  expect(snapshots).toEqual([])
}, 60_000)
