import { defaultConsensusParams, makePartSet, type Part, SignedMsgType, Vote } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { BlockSyncMessage, ConsensusMessage } from '@org/types/messages'
import { expect, onTestFinished, test } from 'vitest'
import { RoundStep } from '../../src/consensus/machine/index.ts'
import { createHostilePeer, type HostileOptions, type HostilePeer } from './hostile-peer.ts'
import { createTestNetwork, type TestNetwork, type TestNetworkOptions, type TestNode } from './test-network.ts'

/** Published advisories whose tests need a network. The table of all advisories is in `docs/advisories.md`. */

const [STATE, DATA, VOTE, BITS, BLOCKSYNC] = [0x20, 0x21, 0x22, 0x23, 0x40] as const
const HASH = new Uint8Array(32).fill(9)

async function start(validators: number, options: TestNetworkOptions = {}): Promise<TestNetwork> {
  const network = createTestNetwork({ validators, ...options })
  onTestFinished(() => network.stop())
  for (let i = 0; i < validators; i++) await network.add()
  await network.reached(3)
  return network
}

const EXTENSIONS: TestNetworkOptions = {
  genesis: { consensusParams: { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: 1 } } },
  app: { extendVote: ({ height }) => ({ voteExtension: utf8ToBytes(`at ${height}`) }) },
}

let attackers = 0
async function attacker(network: TestNetwork, more: Partial<HostileOptions> = {}): Promise<HostilePeer> {
  const ip = `10.7.0.${++attackers}`
  const peer = await createHostilePeer({ hub: network.hub, ip, chainId: network.genesis.chainId, ...more })
  onTestFinished(() => peer.stop())
  return peer
}

async function goesOn(network: TestNetwork): Promise<void> {
  await network.reached((network.nodes[0] as TestNode).engine.blockStore.height() + 4)
}

const consensus = (sum: ConsensusMessage['sum']): Uint8Array => ConsensusMessage.encode({ sum })
const blockId = { hash: HASH, partSetHeader: { total: 1, hash: HASH } }

test('behavior: CVE-2023-34450 (GHSA-mvj3-qrqh-cjvr): the state of peers can be shown any number of times', async () => {
  const network = await start(4)
  const { p2p: own } = network.nodes[0] as TestNode
  const until = (network.nodes[0] as TestNode).engine.blockStore.height() + 10
  let shown = 0
  for (let height = 0; height < until; shown++) {
    expect(JSON.parse(JSON.stringify(own.peerStates().map(({ state }) => state)))).toHaveLength(3)
    height = (network.nodes[0] as TestNode).engine.blockStore.height()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(shown).toBeGreaterThan(20)
  expect(own.peers.peers()).toHaveLength(3)
}, 30_000)

test('behavior: ASA-2024-001 (GHSA-qr8r-m495-7hc4): an update that repeats the height of vote extensions does not halt the chain', async () => {
  const params = { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: 2 } }
  const network = await start(4, {
    genesis: { consensusParams: params },
    // Like many applications, this application sends all parameters again with every block, even long after vote
    // extensions were enabled.
    app: { finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ({})), consensusParamUpdates: params }) },
  })
  await network.reached(10)
  expect(network.nodes[0]?.engine.stateStore.load()?.consensusParams.abci.voteExtensionsEnableHeight).toBe(2)
}, 30_000)

/**
 * Resolves with the height of the chain when every node waits for transactions at the same height. Then no node
 * continues until the test sends a transaction.
 */
async function stillAt(network: TestNetwork): Promise<number> {
  const states = () => network.nodes.map(({ engine }) => engine.consensus.roundState())
  await expect.poll(() => states().every(({ step }) => step === RoundStep.newRound), { timeout: 10_000 }).toBe(true)
  const heights = new Set(states().map(({ height }) => height))
  const [height] = heights
  return heights.size === 1 && height !== undefined ? height : stillAt(network)
}

test('error: ASA-2024-011 (GHSA-p7mv-53f2-4cwj): a precommit with an extension, of a validator that does not exist, is refused', async () => {
  const network = createTestNetwork({ ...EXTENSIONS, consensus: { createEmptyBlocks: false } })
  onTestFinished(() => network.stop())
  for (let i = 0; i < 4; i++) await network.add()
  // The chain waits for transactions, so the height does not change before the votes arrive.
  const height = await stillAt(network)
  const { consensus: victim } = (network.nodes[0] as TestNode).engine
  const peer = await attacker(network)
  await peer.dial((network.nodes[0] as TestNode).address)
  const vote = (changes: Partial<Vote>): Uint8Array => {
    const value = Vote.create({
      type: SignedMsgType.precommit,
      height,
      round: 0,
      blockId,
      timestamp: 1n,
      validatorAddress: new Uint8Array(20),
      signature: new Uint8Array(64).fill(1),
      extension: HASH,
      extensionSignature: new Uint8Array(64).fill(1),
      ...changes,
    })
    return consensus({ case: 'vote', value: { vote: value } })
  }
  for (const validatorIndex of [4, 1000, 2_147_483_647]) await peer.send(VOTE, vote({ validatorIndex }))
  // This vote ends the connection. It is the last message that the peer sends in the channel `VOTE`. So when the
  // connection has ended, consensus has received all other votes of the peer.
  await peer.send(VOTE, vote({ signature: new Uint8Array(0) }))
  await expect.poll(peer.isConnected).toBe(false)
  await expect.poll(() => victim.sizes().inbox).toBe(0)
  expect([victim.isRunning(), victim.roundState().height]).toEqual([true, height])
  expect(victim.roundState().votes.precommits(0)?.bits.isEmpty()).toBe(true)
  await network.nodes[1]?.engine.mempool.checkTx(utf8ToBytes('a=1'))
  await network.reached(height)
}, 30_000)

test('error: ASA-2025-002 (GHSA-r3r4-g7hq-pq4f): a part with the proof of another part is refused, and not recorded as received', async () => {
  const network = await start(4)
  const victim = network.nodes[0] as TestNode
  const peer = await attacker(network)
  await peer.dial(victim.address)
  const { height, round } = victim.engine.consensus.roundState()
  const parts = makePartSet(new Uint8Array(200_000).fill(5))
  const part = { ...(parts.part(0) as Part), index: 2 }
  await peer.send(DATA, consensus({ case: 'blockPart', value: { height, round, part } }))
  await expect.poll(peer.isConnected).toBe(false)
  await goesOn(network)
  // A second test of this advisory is in `src/consensus/gossip/reactor.test.ts`: the node does not record the wrong
  // block part as received.
}, 30_000)

const MISMATCHED = { bits: 1601, elems: [1n] }
const MISMATCHES: readonly (readonly [string, number, ConsensusMessage['sum']])[] = [
  [
    'a valid block',
    STATE,
    {
      case: 'newValidBlock',
      value: {
        height: 5,
        round: 0,
        blockPartSetHeader: { total: 1601, hash: HASH },
        blockParts: MISMATCHED,
        isCommit: false,
      },
    },
  ],
  [
    'a proof of lock',
    DATA,
    { case: 'proposalPol', value: { height: 5, proposalPolRound: 0, proposalPol: MISMATCHED } },
  ],
  [
    'bits of a vote set',
    BITS,
    { case: 'voteSetBits', value: { height: 5, round: 0, type: SignedMsgType.prevote, blockId, votes: MISMATCHED } },
  ],
]

test.each(MISMATCHES)(
  'error: ASA-2025-003 (GHSA-hrhf-2vcr-ghch): bits without their elements, in %s, are refused and not forwarded',
  async (_what, channel, sum) => {
    const network = await start(4)
    const received: number[] = []
    const listener = await attacker(network, {
      onMessage: (_peer, at, bytes) => void (at === channel && received.push(bytes.length)),
    })
    await listener.dial((network.nodes[1] as TestNode).address)
    const peer = await attacker(network)
    await peer.dial((network.nodes[0] as TestNode).address)
    const message = consensus(sum)
    await peer.send(channel, message)
    await expect.poll(peer.isConnected).toBe(false)
    await goesOn(network)
    expect(received).not.toContain(message.length)
  },
  30_000,
)

/**
 * Creates a hostile peer for a node in block sync. It claims to have the blocks of `ranges`, and answers requests for
 * blocks with `answer`.
 */
async function liar(
  network: TestNetwork,
  ranges: readonly { readonly base: number; readonly height: number }[],
  answer: (height: number) => BlockSyncMessage['sum'] = () => undefined,
): Promise<HostilePeer> {
  const send = (peer: Parameters<NonNullable<HostileOptions['onConnect']>>[0], sum: BlockSyncMessage['sum']): void => {
    if (sum !== undefined) void peer.send(BLOCKSYNC, BlockSyncMessage.encode({ sum }))
  }
  return attacker(network, {
    onConnect: (peer) => {
      for (const range of ranges) send(peer, { case: 'statusResponse', value: range })
    },
    onMessage: (peer, channel, bytes) => {
      if (channel !== BLOCKSYNC) return
      const { sum } = BlockSyncMessage.decode(bytes)
      if (sum?.case === 'blockRequest') send(peer, answer(sum.value.height))
    },
  })
}

/**
 * Adds a new node that dials the hostile peer first. Checks that the new node ends block sync and then takes part in
 * consensus.
 */
async function catchesUp(network: TestNetwork, peer: HostilePeer): Promise<void> {
  const late = await network.add({ first: peer.dial })
  await expect.poll(() => late.engine.isWaitingForBlocks(), { timeout: 20_000 }).toBe(false)
  await network.reached(late.engine.blockStore.height() + 3)
}

const POOL = { peerTimeout: 1500, hedgeAfter: 300, declineFor: 20 }
const TOP = 25

/** Returns the block that an honest peer would serve. Its extended commit is not included. */
const block = ({ nodes }: TestNetwork, height: number) => nodes[0]?.engine.blockStore.loadBlock(height)
const extCommit = ({ nodes }: TestNetwork, height: number) => nodes[0]?.engine.blockStore.loadExtendedCommit(height)

const EXTENDED_LIES: readonly (readonly [string, (network: TestNetwork, height: number) => BlockSyncMessage['sum']])[] =
  [
    [
      'no extended commit',
      (network, height) => ({ case: 'blockResponse', value: { block: block(network, height), extCommit: undefined } }),
    ],
    [
      'the extended commit of another height',
      (network, height) => ({
        case: 'blockResponse',
        value: { block: block(network, height), extCommit: extCommit(network, height === 3 ? 4 : 3) },
      }),
    ],
    [
      'extensions that nobody signed',
      (network, height) => {
        const honest = extCommit(network, height)
        if (honest === undefined) return undefined
        const extendedSignatures = honest.extendedSignatures.map((one) => ({
          ...one,
          extension: utf8ToBytes('forged'),
        }))
        return {
          case: 'blockResponse',
          value: { block: block(network, height), extCommit: { ...honest, extendedSignatures } },
        }
      },
    ],
    ['no block at all', () => ({ case: 'blockResponse', value: { block: undefined, extCommit: undefined } })],
  ]

test.each(EXTENDED_LIES)(
  'error: ASA-2024-008 (GHSA-hg58-rf2h-6rr7): block sync from a peer that serves %s',
  async (_what, lie) => {
    const network = await start(1, { ...EXTENSIONS, pool: POOL })
    await network.reached(TOP)
    const peer = await liar(network, [{ base: 1, height: TOP }], (height) => lie(network, height))
    await catchesUp(network, peer)
    await expect.poll(peer.isConnected, { timeout: 10_000 }).toBe(false)
    const [source, late] = network.nodes as [TestNode, TestNode]
    expect(late.engine.blockStore.loadBlockMeta(10)).toEqual(source.engine.blockStore.loadBlockMeta(10))
  },
  40_000,
)

const RANGES: readonly (readonly [string, readonly { readonly base: number; readonly height: number }[]])[] = [
  [
    'ASA-2025-001 (GHSA-22qq-3xwm-r5x4, CVE-2025-24371): one who claims a great height and then a lower one',
    [
      { base: 1, height: 1_000_000 },
      { base: 1, height: 2 },
    ],
  ],
  [
    'ASA-2025-001, as disclosed again in 2026 (issue 5801): one who claims blocks from far beyond',
    [{ base: 100_000_000, height: 100_000_100 }],
  ],
  [
    'ASA-2025-001, as disclosed again in 2026 (issue 5801): one who claims every height and sends nothing',
    [{ base: 1, height: Number.MAX_SAFE_INTEGER }],
  ],
]

test.each(RANGES)(
  'error: %s does not keep a node from catching up',
  async (_what, ranges) => {
    const network = await start(1, { pool: POOL })
    await network.reached(TOP)
    await catchesUp(network, await liar(network, ranges))
  },
  40_000,
)
