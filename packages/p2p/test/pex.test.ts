import { createSystemClock, createSystemRandom } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo } from '@org/types/p2p'
import { expect, onTestFinished, test } from 'vitest'
import {
  createAddressBook,
  createPex,
  createSwitch,
  DEFAULT_MCONN_OPTIONS,
  DEFAULT_SWITCH_OPTIONS,
  type NetAddress,
  nodeIdOf,
  type Pex,
  type Switch,
  tcpStreams,
} from '../src/index.ts'

interface TestNode {
  readonly address: NetAddress
  readonly peers: Switch
  readonly pex: Pex
}

const clock = createSystemClock()
const random = createSystemRandom()

async function startNode(seeds: readonly NetAddress[]): Promise<TestNode> {
  const nodeKey = generateEd25519()
  const id = nodeIdOf(publicKeyOf(nodeKey))
  const book = createAddressBook({ strict: false, privateIds: [] }, random)
  const pexOptions = {
    seedMode: false,
    seeds,
    maxOutboundPeers: 6,
    persistentPeersMaxDialPeriodMs: 0,
    ensurePeersPeriodMs: 200,
    seedDisconnectWaitMs: 60_000,
  }
  const pex = createPex(pexOptions, { book, clock, random, save: async () => undefined, peers: () => peers })
  const peers: Switch = createSwitch(
    {
      ...DEFAULT_SWITCH_OPTIONS,
      nodeKey,
      listen: { host: '127.0.0.1', port: 0 },
      persistentPeers: [],
      mconn: DEFAULT_MCONN_OPTIONS,
      allowDuplicateIp: true,
    },
    {
      streams: tcpStreams,
      reactors: [pex.reactor],
      clock,
      random,
      nodeInfo: () =>
        DefaultNodeInfo.create({
          protocolVersion: { p2p: 8n, block: 11n, app: 0n },
          defaultNodeId: id,
          listenAddr: `tcp://127.0.0.1:${peers.listenAddress()?.port ?? 0}`,
          network: 'pex',
          version: '0.38.25',
          channels: Uint8Array.of(0),
          moniker: 'test',
        }),
    },
  )
  await peers.start()
  await pex.start()
  const node = { address: { id, ip: '127.0.0.1', port: peers.listenAddress()?.port ?? 0 }, peers, pex }
  onTestFinished(async () => void (await Promise.all([pex.stop(), peers.stop()])))
  return node
}

test('behavior: twelve nodes that have the address of one seed find each other', async () => {
  const seed = await startNode([])
  const nodes = [seed]
  for (let i = 1; i < 12; i++) nodes.push(await startNode([seed.address]))
  const reachable = (): number => {
    const seen = new Set<string>([seed.address.id])
    const queue = [nodes[1] as TestNode]
    // The test follows the connections from node to node. The seed is in `seen` from the beginning, so no path leads
    // through the seed: the other nodes must be connected with each other without it.
    while (queue.length > 0) {
      const node = queue.pop() as TestNode
      if (seen.has(node.address.id)) continue
      seen.add(node.address.id)
      const ids = new Set(node.peers.peers().map(({ id }) => id))
      queue.push(...nodes.filter(({ address }) => ids.has(address.id)))
    }
    return seen.size
  }
  await expect.poll(reachable, { timeout: 30_000, interval: 100 }).toBe(12)
  await expect
    .poll(() => Math.min(...nodes.map(({ peers }) => peers.peers().length)), { timeout: 30_000, interval: 100 })
    .toBeGreaterThanOrEqual(4)
})
