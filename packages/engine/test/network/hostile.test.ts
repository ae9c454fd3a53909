import { BitSet, makePartSet, type Part, Proposal, SignedMsgType, Vote } from '@org/types'
import { ConsensusMessage, MempoolMessage, StateSyncMessage } from '@org/types/messages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_MESSAGE_SIZE } from '../../src/consensus/gossip/options.ts'
import { MAX_LOGGED_MESSAGE } from '../../src/consensus/wal/index.ts'
import { createHostilePeer, type HostilePeer } from './hostile-peer.ts'
import { createTestNetwork, type TestNetwork, type TestNode } from './test-network.ts'

const [STATE, DATA, VOTE, BITS, MEMPOOL, EVIDENCE, SNAPSHOT] = [0x20, 0x21, 0x22, 0x23, 0x30, 0x38, 0x60]
const HASH = new Uint8Array(32).fill(9)
const SIGNATURE = new Uint8Array(64).fill(1)

let network: TestNetwork
let count = 0

beforeAll(async () => {
  network = createTestNetwork()
  for (let i = 0; i < 4; i++) await network.add()
  await network.reached(2)
}, 30_000)
afterAll(() => network.stop())

const victim = (): TestNode => network.nodes[0] as TestNode

async function enter(): Promise<HostilePeer> {
  count++
  const peer = await createHostilePeer({ hub: network.hub, ip: `10.9.0.${count}`, chainId: network.genesis.chainId })
  await peer.dial(victim().address)
  return peer
}

/**
 * Checks that the network still makes blocks, and that the heap of this process grew by at most `limit` bytes since
 * `heapBefore`.
 */
async function goesOn(heapBefore: number, limit = 60_000_000): Promise<void> {
  await network.reached(victim().engine.blockStore.height() + 4)
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(limit)
}

const encode = (sum: ConsensusMessage['sum']): Uint8Array => ConsensusMessage.encode({ sum })
const bitWords = (size: number) => new BitSet(size).not().toWords()
const blockId = { hash: HASH, partSetHeader: { total: 1, hash: HASH } }

function vote(changes: Partial<Vote>): Uint8Array {
  const value = Vote.create({
    type: SignedMsgType.prevote,
    height: 1,
    round: 0,
    blockId,
    timestamp: 1n,
    validatorAddress: new Uint8Array(20),
    validatorIndex: 0,
    signature: SIGNATURE,
    ...changes,
  })
  return encode({ case: 'vote', value: { vote: value } })
}

function proposal(changes: Partial<Proposal>): Uint8Array {
  const height = victim().engine.consensus.roundState().height
  const value = Proposal.create({
    type: SignedMsgType.proposal,
    height,
    round: 0,
    polRound: -1,
    blockId,
    timestamp: 1n,
    signature: SIGNATURE,
    ...changes,
  })
  return encode({ case: 'proposal', value: { proposal: value } })
}

/** Returns a message of exactly `size` bytes, which contains a vote with a long extension. */
function longVote(size: number): Uint8Array {
  const extended = (length: number): Uint8Array =>
    vote({ type: SignedMsgType.precommit, extension: new Uint8Array(length), extensionSignature: SIGNATURE })
  return extended(size - (extended(size).length - size))
}

const step = { height: 5, round: 0, step: 1, secondsSinceStartTime: 0, lastCommitRound: 0 }

describe('error: a message that no honest node sends ends the connection', () => {
  const cases: readonly (readonly [string, number, () => Uint8Array])[] = [
    ['garbage', STATE as number, () => Uint8Array.of(1, 2, 3)],
    ['an empty message', STATE as number, () => new Uint8Array(0)],
    [
      'two messages in one',
      STATE as number,
      () => {
        const one = encode({ case: 'newRoundStep', value: step })
        return Uint8Array.of(...one, ...one)
      },
    ],
    ['a step that is none', STATE as number, () => encode({ case: 'newRoundStep', value: { ...step, step: 9 } })],
    [
      'a height before the first',
      STATE as number,
      () => encode({ case: 'newRoundStep', value: { ...step, height: 0 } }),
    ],
    [
      'a giant array of block parts',
      STATE as number,
      () =>
        encode({
          case: 'newValidBlock',
          value: {
            height: 5,
            round: 0,
            blockPartSetHeader: { total: 500_000, hash: HASH },
            blockParts: bitWords(500_000),
            isCommit: false,
          },
        }),
    ],
    [
      'bits without their elements',
      STATE as number,
      () =>
        encode({
          case: 'newValidBlock',
          value: {
            height: 5,
            round: 0,
            blockPartSetHeader: { total: 1601, hash: HASH },
            blockParts: { bits: 1601, elems: [] },
            isCommit: false,
          },
        }),
    ],
    [
      'a giant array of votes',
      BITS as number,
      () =>
        encode({
          case: 'voteSetBits',
          value: { height: 5, round: 0, type: SignedMsgType.prevote, blockId, votes: bitWords(1_000_000) },
        }),
    ],
    [
      'a giant proof-of-lock',
      DATA as number,
      () => encode({ case: 'proposalPol', value: { height: 5, proposalPolRound: 0, proposalPol: bitWords(100_000) } }),
    ],
    [
      'a proposal of too many parts',
      DATA as number,
      () => proposal({ blockId: { hash: HASH, partSetHeader: { total: 4_000_000_000, hash: HASH } } }),
    ],
    [
      'a part with a proof of another place',
      DATA as number,
      () => {
        const part = makePartSet(new Uint8Array(70_000)).part(0) as Part
        return encode({ case: 'blockPart', value: { height: 5, round: 0, part: { ...part, index: 1 } } })
      },
    ],
    ['a vote without a signature', VOTE as number, () => vote({ signature: new Uint8Array(0) })],
    ['an extension on a vote that cannot have one', VOTE as number, () => vote({ extension: HASH })],
    [
      'a transaction over the limit',
      MEMPOOL as number,
      () => MempoolMessage.encode({ sum: { case: 'txs', value: { txs: [new Uint8Array(1_048_577)] } } }),
    ],
    [
      'a list without transactions',
      MEMPOOL as number,
      () => MempoolMessage.encode({ sum: { case: 'txs', value: { txs: [] } } }),
    ],
    ['a message that is not evidence', EVIDENCE as number, () => Uint8Array.of(10, 0)],
    [
      'a snapshot of no height',
      SNAPSHOT as number,
      () =>
        StateSyncMessage.encode({
          sum: { case: 'snapshotsResponse', value: { height: 0, format: 1, chunks: 1, hash: HASH, metadata: HASH } },
        }),
    ],
  ]

  test.each(cases)(
    '%s',
    async (_name, channel, message) => {
      const before = process.memoryUsage().heapUsed
      const peer = await enter()
      await peer.send(channel, message())
      await expect.poll(peer.isConnected, { timeout: 5000 }).toBe(false)
      await goesOn(before)
      await peer.stop()
    },
    20_000,
  )
})

test('behavior: a vote of the maximum length is written to the log, and the network continues', async () => {
  const before = process.memoryUsage().heapUsed
  const peer = await enter()
  const longest = longVote(MAX_LOGGED_MESSAGE)
  expect(longest.length).toBe(MAX_LOGGED_MESSAGE)
  await peer.send(VOTE as number, longest)
  await goesOn(before)
  expect(victim().engine.consensus.isRunning()).toBe(true)
  expect(peer.isConnected()).toBe(true)
  await peer.stop()
})

test('behavior: votes that are too long for the log are ignored, because peers of the reference pass them on', async () => {
  const before = process.memoryUsage().heapUsed
  const peer = await enter()
  for (const length of [MAX_LOGGED_MESSAGE + 1, MAX_MESSAGE_SIZE]) await peer.send(VOTE as number, longVote(length))
  await goesOn(before)
  expect(peer.isConnected()).toBe(true)
  await peer.stop()
})

test('error: a thousand forged votes in the name of a validator end the connection', async () => {
  const before = process.memoryUsage().heapUsed
  const peer = await enter()
  const { height, validators } = victim().engine.consensus.roundState()
  const { address } = validators.validators[0] as { readonly address: Uint8Array }
  for (let i = 0; i < 1000 && peer.isConnected(); i++) {
    // The network continues to make blocks during this test, so the forged votes are also for the next heights.
    await peer.send(
      VOTE as number,
      vote({ height: height + Math.floor(i / 100), validatorAddress: address, validatorIndex: 0 }),
    )
  }
  await expect.poll(peer.isConnected, { timeout: 5000 }).toBe(false)
  await goesOn(before)
  await peer.stop()
})

describe('behavior: floods of messages that an honest peer may send are tolerated', () => {
  const floods: readonly (readonly [string, number, (i: number) => Uint8Array])[] = [
    [
      'votes for far heights and rounds',
      VOTE as number,
      (i) => vote({ height: 1_000_000 + i, round: i, validatorIndex: i % 4 }),
    ],
    [
      'votes of this height for far rounds',
      VOTE as number,
      (i) => vote({ height: victim().engine.consensus.roundState().height, round: i, validatorIndex: i % 4 }),
    ],
    ['proposals that nobody signed', DATA as number, () => proposal({})],
    [
      'parts that do not belong',
      DATA as number,
      (i) => {
        const part = makePartSet(Uint8Array.of(i % 256)).part(0) as Part
        const { height, round } = victim().engine.consensus.roundState()
        return encode({ case: 'blockPart', value: { height, round, part } })
      },
    ],
    [
      'claims of votes',
      STATE as number,
      (i) =>
        encode({
          case: 'hasVote',
          value: { height: 1 + (i % 100), round: i, type: SignedMsgType.prevote, index: 2_000_000_000 },
        }),
    ],
    ['steps', STATE as number, (i) => encode({ case: 'newRoundStep', value: { ...step, height: 1000 + i } })],
    [
      'claims of +2/3 for far rounds',
      STATE as number,
      (i) => {
        const { height } = victim().engine.consensus.roundState()
        return encode({ case: 'voteSetMaj23', value: { height, round: i + 10, type: SignedMsgType.prevote, blockId } })
      },
    ],
    [
      'transactions',
      MEMPOOL as number,
      (i) => MempoolMessage.encode({ sum: { case: 'txs', value: { txs: [new TextEncoder().encode(`flood=${i}`)] } } }),
    ],
    [
      'questions for snapshots',
      SNAPSHOT as number,
      () => StateSyncMessage.encode({ sum: { case: 'snapshotsRequest', value: {} } }),
    ],
  ]

  test.each(floods)(
    '%s',
    async (_name, channel, message) => {
      const before = process.memoryUsage().heapUsed
      const peer = await enter()
      for (let i = 0; i < 3000 && peer.isConnected(); i++) await peer.send(channel, message(i))
      await goesOn(before, 120_000_000)
      await peer.stop()
    },
    40_000,
  )
})
