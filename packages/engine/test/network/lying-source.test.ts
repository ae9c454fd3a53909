import type { Peer } from '@org/p2p'
import { type Block, hashData } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { BlockSyncMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { createHostilePeer } from './hostile-peer.ts'
import { createTestNetwork, type TestNode } from './test-network.ts'

const BLOCKSYNC = 0x40
const TOP = 40

/** Returns a lying peer's answer to a request for the block of `height`; `undefined` if the peer does not answer. */
type Lie = (height: number, source: TestNode) => BlockSyncMessage['sum']

const honest = (height: number, { engine }: TestNode): Block => engine.blockStore.loadBlock(height) as Block
const response = (block: Block): BlockSyncMessage['sum'] => ({
  case: 'blockResponse',
  value: { block, extCommit: undefined },
})

const LIES: readonly (readonly [string, Lie])[] = [
  [
    'blocks with other transactions',
    (height, source) => {
      const block = honest(height, source)
      return response({ ...block, data: { txs: [...block.data.txs, utf8ToBytes('more=1')] } })
    },
  ],
  [
    'blocks with other transactions that fit together, which nobody signed',
    (height, source) => {
      const block = honest(height, source)
      const txs = [...block.data.txs, utf8ToBytes('more=1')]
      return response({ ...block, data: { txs }, header: { ...block.header, dataHash: hashData(txs) } })
    },
  ],
  [
    'blocks with other commits',
    (height, source) => {
      const block = honest(height, source)
      const signatures =
        block.lastCommit?.signatures.map((entry) => ({ ...entry, signature: new Uint8Array(64) })) ?? []
      const lastCommit = block.lastCommit && { ...block.lastCommit, signatures }
      return response({ ...block, lastCommit })
    },
  ],
  [
    'blocks with another application hash',
    (height, source) => {
      const block = honest(height, source)
      return response({ ...block, header: { ...block.header, appHash: new Uint8Array(32).fill(7) } })
    },
  ],
  ['other blocks than asked for', (height, source) => response(honest(height === 1 ? 2 : 1, source))],
  ['a response without a block', () => ({ case: 'blockResponse', value: { block: undefined, extCommit: undefined } })],
  ['that it has none', (height) => ({ case: 'noBlockResponse', value: { height } })],
  ['nothing', () => undefined],
]

const HARMLESS = ['that it has none', 'nothing']

test.each(LIES)(
  'behavior: a peer that serves %s does not keep a node from catching up',
  async (what, lie) => {
    await using network = createTestNetwork({
      validators: 1,
      pool: { peerTimeout: 1500, hedgeAfter: 300, declineFor: 20 },
      consensus: { timeoutCommit: 30_000_000n },
    })
    const source = await network.add()
    await network.reached(TOP)
    await using liar = await createHostilePeer({
      hub: network.hub,
      ip: '10.6.6.6',
      chainId: network.genesis.chainId,
      onConnect: (peer) => status(peer, TOP),
      onMessage: (peer, channel, bytes) => {
        if (channel !== BLOCKSYNC) return
        const { sum } = BlockSyncMessage.decode(bytes)
        if (sum?.case === 'statusRequest') status(peer, TOP)
        if (sum?.case !== 'blockRequest') return
        const answer = lie(sum.value.height, source)
        if (answer !== undefined) void peer.send(BLOCKSYNC, BlockSyncMessage.encode({ sum: answer }))
      },
    })
    const late = await network.add()
    await liar.dial(late.address)
    await expect.poll(() => late.engine.isWaitingForBlocks(), { timeout: 15_000 }).toBe(false)
    expect(late.engine.blockStore.height()).toBeGreaterThanOrEqual(TOP - 2)
    for (const height of [1, 10, TOP - 2]) {
      expect(late.engine.blockStore.loadBlockMeta(height)).toEqual(source.engine.blockStore.loadBlockMeta(height))
    }
    await network.reached(TOP + 5)
    // Two of the lying peers send no wrong block: they decline the requests or do not answer them. These two peers may
    // still be connected at the end. The node disconnects all other lying peers.
    if (!HARMLESS.includes(what)) await expect.poll(() => liar.isConnected(), { timeout: 5000 }).toBe(false)
  },
  40_000,
)

function status(peer: Peer, height: number): void {
  void peer.send(BLOCKSYNC, BlockSyncMessage.encode({ sum: { case: 'statusResponse', value: { height, base: 1 } } }))
}

test('error: a block without a request ends the connection', async () => {
  await using network = createTestNetwork({ validators: 1 })
  const source = await network.add()
  await network.reached(3)
  await using liar = await createHostilePeer({ hub: network.hub, ip: '10.6.6.6', chainId: network.genesis.chainId })
  await liar.dial(source.address)
  expect(liar.isConnected()).toBe(true)
  await liar.send(BLOCKSYNC, BlockSyncMessage.encode({ sum: response(honest(1, source)) }))
  await expect.poll(() => liar.isConnected()).toBe(false)
}, 20_000)
