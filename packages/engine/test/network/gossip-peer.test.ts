import { defaultConsensusParams, equalBlockIds, SignedMsgType, Vote } from '@org/types'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { ConsensusMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { createHostilePeer } from './hostile-peer.ts'
import { createTestNetwork, type TestNetwork, type TestNode } from './test-network.ts'

const [STATE, VOTE] = [0x20, 0x22]
type Sum = NonNullable<ConsensusMessage['sum']>
type Value<C extends Sum['case']> = Extract<Sum, { readonly case: C }>['value']

/**
 * Connects a peer to the node. The peer reports the height and round that the test sets, and keeps the consensus
 * messages that it receives.
 */
async function enter(node: TestNode, { hub, genesis }: TestNetwork) {
  const received: Sum[] = []
  const peer = await createHostilePeer({
    hub,
    ip: '10.9.0.1',
    chainId: genesis.chainId,
    onMessage: (_peer, channel, bytes) => {
      const sum = channel >= 0x20 && channel <= 0x23 ? ConsensusMessage.decode(bytes).sum : undefined
      if (sum !== undefined) received.push(sum)
    },
  })
  await peer.dial(node.address)
  const { send, isConnected } = peer
  return {
    [Symbol.asyncDispose]: peer.stop,
    isConnected,
    sendSum: (channel: number, sum: Sum) => send(channel, ConsensusMessage.encode({ sum })),
    standAt: (height: number, step: number) =>
      send(
        STATE,
        ConsensusMessage.encode({
          sum: {
            case: 'newRoundStep',
            value: { height, round: 0, step, secondsSinceStartTime: 0, lastCommitRound: height === 1 ? -1 : 0 },
          },
        }),
      ),
    all: <C extends Sum['case']>(kind: C): Value<C>[] =>
      received
        .filter((sum): sum is Extract<Sum, { readonly case: C }> => sum.case === kind)
        .map(({ value }) => value) as Value<C>[],
  }
}

test('behavior: a peer at a lower height receives the block, the commit with its extensions, and a query for its votes', async () => {
  const params = defaultConsensusParams()
  await using network = createTestNetwork({
    validators: 1,
    genesis: { consensusParams: { ...params, abci: { voteExtensionsEnableHeight: 2 } } },
    app: { extendVote: ({ height }) => ({ voteExtension: utf8ToBytes(`at ${height}`) }) },
  })
  const node = await network.add()
  await network.reached(8)
  await using peer = await enter(node, network)
  const { standAt, all } = peer
  await standAt(4, 1)
  await expect.poll(() => all('vote').length).toBeGreaterThan(0)
  const meta = node.engine.blockStore.loadBlockMeta(4)
  const { vote } = all('vote')[0] as Value<'vote'>
  expect(vote).toMatchObject({ height: 4, type: SignedMsgType.precommit })
  expect(bytesToUtf8(vote?.extension ?? new Uint8Array(0))).toBe('at 4')
  expect(vote && meta && equalBlockIds(vote.blockId, meta.blockId)).toBe(true)
  await expect.poll(() => all('blockPart').length).toBe(meta?.blockId.partSetHeader.total)
  for (const { height, part } of all('blockPart')) {
    expect(height).toBe(4)
    expect(part).toEqual(node.engine.blockStore.loadBlockPart(4, part.index))
  }
  // The node sends each vote and each part only once.
  const { votes, parts } = { votes: all('vote').length, parts: all('blockPart').length }
  await expect.poll(() => all('voteSetMaj23').length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(all('voteSetMaj23')[0]).toMatchObject({ height: 4, type: SignedMsgType.precommit, blockId: meta?.blockId })
  expect([all('vote').length, all('blockPart').length]).toEqual([votes, parts])
  await standAt(5, 1)
  await expect.poll(() => all('vote').at(-1)?.vote?.height).toBe(5)
}, 30_000)

test('behavior: a peer at the last height receives the precommits that decided it', async () => {
  await using network = createTestNetwork({ validators: 1, consensus: { createEmptyBlocks: false } })
  const node = await network.add()
  await network.reached(1)
  // The node makes the second block even without transactions, because this block proves the app hash after the first
  // block. Then the node waits for transactions.
  const { engine } = node
  const quiet = async (): Promise<boolean> => {
    const at = engine.blockStore.height()
    await new Promise((resolve) => setTimeout(resolve, 100))
    return engine.blockStore.height() === at && engine.consensus.roundState().height === at + 1
  }
  await expect.poll(quiet).toBe(true)
  const last = engine.blockStore.height()
  await using peer = await enter(node, network)
  const { standAt, all } = peer
  await standAt(last, 6)
  await expect
    .poll(() => all('vote').map(({ vote }) => [vote?.height, vote?.type]))
    .toEqual([[last, SignedMsgType.precommit]])
}, 30_000)

const WAITING = { validators: 2, consensus: { timeoutPropose: 1_000_000_000_000n } }

/** A node that waits at height 1 for another validator's votes. */
async function waitingNode(network: TestNetwork): Promise<TestNode> {
  const node = await network.add()
  const { engine } = node
  // The chain has two validators, and the other one does not run. So this node cannot decide a block.
  await expect.poll(() => engine.isWaitingForBlocks()).toBe(false)
  return node
}

const BLOCK = { hash: new Uint8Array(32).fill(1), partSetHeader: { total: 1, hash: new Uint8Array(32).fill(2) } }
const OTHER = { ...BLOCK, hash: new Uint8Array(32).fill(3) }

test('behavior: a claim of +2/3 is answered with the received votes, and a claim for another block ends the connection', async () => {
  await using network = createTestNetwork(WAITING)
  const node = await waitingNode(network)
  await using peer = await enter(node, network)
  const { standAt, sendSum, all, isConnected } = peer
  await standAt(1, 3)
  const claim = { height: 1, round: 0, type: SignedMsgType.prevote, blockId: BLOCK }
  for (let i = 0; i < 2; i++) await sendSum(STATE, { case: 'voteSetMaj23', value: claim })
  await expect.poll(() => all('voteSetBits').length).toBe(2)
  expect(all('voteSetBits')[0]).toMatchObject({ height: 1, round: 0, blockId: BLOCK })
  await sendSum(STATE, { case: 'voteSetMaj23', value: { ...claim, type: SignedMsgType.precommit, blockId: OTHER } })
  await expect.poll(() => all('voteSetBits').length).toBe(3)
  expect(isConnected()).toBe(true)
  await sendSum(STATE, { case: 'voteSetMaj23', value: { ...claim, blockId: OTHER } })
  await expect.poll(isConnected).toBe(false)
}, 30_000)

test('behavior: ten votes with invalid signatures are tolerated, and the next one ends the connection', async () => {
  await using network = createTestNetwork(WAITING)
  const node = await waitingNode(network)
  await using peer = await enter(node, network)
  const { standAt, sendSum, isConnected } = peer
  await standAt(1, 3)
  const { validators } = node.engine.consensus.roundState().validators
  const own = node.engine.consensus.roundState().signerAddress
  const index = validators.findIndex(({ address }) => own === undefined || !address.every((byte, i) => byte === own[i]))
  const forge = (timestamp: bigint): Promise<void> =>
    sendSum(VOTE, {
      case: 'vote',
      value: {
        vote: Vote.create({
          type: SignedMsgType.prevote,
          height: 1,
          round: 0,
          blockId: BLOCK,
          timestamp,
          validatorAddress: validators[index]?.address ?? new Uint8Array(0),
          validatorIndex: index,
          signature: new Uint8Array(64).fill(7),
        }),
      },
    })
  for (let i = 0; i < 10; i++) await forge(BigInt(i))
  // The node has judged the ten forged votes, and the peer is still connected. The next forged vote ends the
  // connection.
  const received = await answered(sendSum, isConnected)
  expect(received).toBe(true)
  await forge(10n)
  await expect.poll(isConnected).toBe(false)
}, 30_000)

/** Returns whether the peer is still connected after all of its messages were handled. */
async function answered(
  sendSum: (channel: number, sum: Sum) => Promise<void>,
  isConnected: () => boolean,
): Promise<boolean> {
  await sendSum(STATE, { case: 'hasVote', value: { height: 1, round: 0, type: SignedMsgType.prevote, index: 0 } })
  for (let i = 0; i < 300; i++) await new Promise((resolve) => setImmediate(resolve))
  return isConnected()
}
