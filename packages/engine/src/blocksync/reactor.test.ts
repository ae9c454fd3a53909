import { createVirtualClock, isCodedError, noopLogger, noopMetrics } from '@org/runtime'
import { Block, BlockIdFlag, Commit, CommitSig, makeBlock, ZERO_BLOCK_ID } from '@org/types'
import { BlockSyncMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import { makeFirstState } from '../../test/support/first-state.ts'
import { scriptedPeer, settle } from '../../test/support/scripted-peer.ts'
import { createBlockStore, createMemoryStore } from '../store/index.ts'
import { BLOCKSYNC_CHANNEL, type BlockSyncOptions, DEFAULT_BLOCKSYNC_OPTIONS, LATE_ANSWERS_MS } from './options.ts'
import { createBlockSync } from './reactor.ts'

const encode = (sum: BlockSyncMessage['sum']): Uint8Array => BlockSyncMessage.encode({ sum })

/** Returns a block response. The last commit of its block has this number of signatures. */
function response(signatures: number): Uint8Array {
  const entry = CommitSig.create({ blockIdFlag: BlockIdFlag.absent })
  const lastCommit = Commit.create({ height: 1, signatures: Array.from({ length: signatures }, () => entry) })
  return encode({ case: 'blockResponse', value: { block: { ...Block.create({}), lastCommit }, extCommit: undefined } })
}

function begun(options: Partial<BlockSyncOptions> = {}, maxBytes = 22_020_096n, voteExtensionsEnableHeight = 0) {
  const { state: made } = makeFirstState({ chainId: 'sync', time: 0n, powers: [10n] })
  const { consensusParams } = made
  const state = {
    ...made,
    consensusParams: {
      ...consensusParams,
      block: { ...consensusParams.block, maxBytes },
      abci: { voteExtensionsEnableHeight },
    },
  }
  const peers = new Map(['asked', 'other'].map((id) => [id, scriptedPeer(id)]))
  const clock = createVirtualClock()
  const stopped: [id: string, code: string][] = []
  let needed = false
  const sync = createBlockSync(
    { ...DEFAULT_BLOCKSYNC_OPTIONS, ...options },
    {
      // A stub is enough, because in these tests no block reaches the executor.
      executor: { durable: () => Promise.resolve() } as never,
      blockStore: createBlockStore({}, { db: createMemoryStore() }),
      state: () => state,
      isNeeded: () => needed,
      peers: {
        stop: (id, reason) => void stopped.push([id, isCodedError(reason) ? reason.code : 'no code']),
        broadcast: () => undefined,
        peer: (id) => peers.get(id),
      },
      clock,
      logger: noopLogger,
      metrics: noopMetrics,
    },
  )
  const peer = (id: string) => peers.get(id) as ReturnType<typeof scriptedPeer>
  for (const one of peers.values()) sync.reactor.addPeer(one)
  return {
    capacity: (id: string) => {
      const capacity = sync.reactor.channels[0]?.receiveMessageCapacity
      return typeof capacity === 'function' ? capacity(id) : capacity
    },
    leave: (id: string) => sync.reactor.removePeer(peer(id), undefined),
    clock,
    stopped,
    receive: (id: string, bytes: Uint8Array) => sync.reactor.receive(peer(id), BLOCKSYNC_CHANNEL, bytes),
    begin: () => sync.catchUp(state),
    requests: (id: string) =>
      peer(id).sent.flatMap(({ message }) => {
        const { sum } = BlockSyncMessage.decode(message)
        return sum?.case === 'blockRequest' ? [sum.value.height] : []
      }),
    end: async (run: Promise<unknown>) => {
      needed = true
      clock.advance(DEFAULT_BLOCKSYNC_OPTIONS.firstCheckMs + 200)
      await run
    },
  }
}

const STATUS = encode({ case: 'statusResponse', value: { base: 1, height: 10 } })

test('error: refuses a block outside block sync, and a block from a peer without a request', async () => {
  const { receive, begin, end, requests } = begun()
  expect(receive('asked', response(1))).toMatchObject({ type: 'reject', reason: expect.stringContaining('not active') })
  const run = begin()
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  await settle()
  expect(requests('asked')).toContain(1)
  expect(receive('other', response(1))).toMatchObject({ type: 'reject', reason: 'unsolicited BlockResponse' })
  await end(run)
})

test('error: refuses a commit with more signatures than validators, also after block sync', async () => {
  const { receive, begin, end } = begun()
  const run = begin()
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  const fault = { type: 'reject', reason: 'too many commit signatures: 10001 (max 10000)' }
  expect(receive('asked', response(10_001))).toMatchObject(fault)
  await end(run)
  expect(receive('asked', response(10_001))).toMatchObject(fault)
})

/**
 * Returns a message with a block of this height. The block has `empty` empty transactions and one transaction of
 * `bytes` bytes.
 */
function withTxs(height: number, empty: number, bytes = 0): Uint8Array {
  const txs = [...new Array<Uint8Array>(empty).fill(new Uint8Array(0)), new Uint8Array(bytes)]
  const proposer = new Uint8Array(20)
  const lastCommit = Commit.create({ signatures: [] })
  const header = { version: 11n, chainId: 'sync', time: 0n, lastBlockId: ZERO_BLOCK_ID, proposerAddress: proposer }
  const hash = new Uint8Array(32)
  const hashes = {
    validatorsHash: hash,
    nextValidatorsHash: hash,
    consensusHash: hash,
    appHash: hash,
    lastResultsHash: hash,
  }
  const made = makeBlock({ height, txs, lastCommit, evidence: [], header: { ...header, ...hashes } as never })
  const block = { ...made, header: { ...made.header, version: { block: 11n, app: 0n } } }
  return encode({ case: 'blockResponse', value: { block, extCommit: undefined } })
}

test('error: refuses a block with more items than the heap can hold before it decodes the rest', async () => {
  const { receive, begin, end } = begun({ maxItems: 1000 })
  const run = begin()
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  expect(receive('asked', withTxs(1, 500))).toEqual({ type: 'accept' })
  // Each transaction is an item. The decoder allows 21,100 items in the whole message: 1,000 for the block, and 20,100
  // for everything outside of the block. So a message with 30,000 transactions is refused.
  expect(receive('asked', withTxs(2, 30_000))).toMatchObject({
    type: 'reject',
    reason: expect.stringContaining('HALLEY_HEAP_MB'),
  })
  await end(run)
})

test('behavior: a peer that sends no requested block is disconnected, and the code of the fault says why', async () => {
  const { receive, begin, end, clock, stopped } = begun()
  const run = begin()
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  expect(stopped).toEqual([])
  clock.advance(DEFAULT_BLOCKSYNC_OPTIONS.pool.peerTimeout + 200)
  expect(stopped).toEqual([['asked', 'BLOCKSYNC_PEER_SILENT']])
  await end(run)
})

test('error: refuses a block that is longer than the parameters of the chain allow', async () => {
  const { receive, begin, end } = begun({}, 5000n)
  const run = begin()
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  expect(receive('asked', withTxs(1, 0, 6000))).toMatchObject({
    type: 'reject',
    reason: expect.stringMatching(/the block has 6\d\d\d bytes; the consensus parameters allow 5000/),
  })
  // The consensus parameters limit the length of a block to 5,000 bytes now. But block 9 is not the next block, and the
  // parameters may change before height 9. So the length of block 9 is not a fault of the peer yet.
  expect(receive('asked', withTxs(9, 0, 6000))).toMatchObject({
    type: 'ignore',
    reason: 'there is no free memory for the block yet',
  })
  await end(run)
})

test('behavior: the contents of a large block are hashed only after signatures of +2/3 for the block are verified', async () => {
  const { receive, begin, end } = begun()
  const run = begin()
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  const forged = (count: number): Uint8Array => {
    const { sum } = BlockSyncMessage.decode(withTxs(2, count))
    if (sum?.case !== 'blockResponse' || sum.value.block === undefined) throw new Error('no block')
    const { block } = sum.value
    const dataHash = new Uint8Array(32).fill(1)
    return encode({
      case: 'blockResponse',
      value: { block: { ...block, header: { ...block.header, dataHash } }, extCommit: undefined },
    })
  }
  expect(receive('asked', forged(100))).toMatchObject({ type: 'reject', reason: expect.stringContaining('DataHash') })
  expect(receive('asked', forged(100_000))).toEqual({ type: 'accept' })
  await end(run)
})

test('behavior: an answer after this node has caught up is not a fault', async () => {
  const { receive, begin, end } = begun()
  const run = begin()
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  await end(run)
  expect(receive('asked', response(1))).toMatchObject({ type: 'ignore', reason: 'the block is no longer needed' })
  expect(receive('other', response(1))).toMatchObject({ type: 'ignore' })
})

test('behavior: only a peer with an open request may send a long message, also for some time after block sync', async () => {
  const { receive, begin, end, capacity, clock, leave } = begun()
  // `short` and `long` are limits for the bytes of a message. `long` allows a block of twice the present maximum size,
  // because the consensus parameters of a higher block may allow larger blocks than the present parameters.
  const [short, long] = [1024, 2 * 22_020_096 + 1024]
  const both = () => [capacity('asked'), capacity('other')]
  expect(both()).toEqual([short, short])
  const run = begin()
  expect(both()).toEqual([short, short])
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  await settle()
  expect(both()).toEqual([long, short])
  await end(run)
  expect(both()).toEqual([long, short])
  clock.advance(LATE_ANSWERS_MS)
  expect(both()).toEqual([short, short])
  leave('asked')
})

test.each([
  ['the parameters allow little', 1000n, 0, 2 * 1000 + 1024],
  ['the parameters allow half of the most', 52_428_800n, 0, 104_857_605],
  ['the parameters name no size', -1n, 0, 104_857_605],
  ['one validator adds a vote extension', 1000n, 1, 2 * (1000 + 1_048_576) + 1024],
])('behavior: the longest answer with a block where %s', async (_where, maxBytes, extensions, longest) => {
  const { receive, begin, capacity, end } = begun({}, maxBytes, extensions)
  const run = begin()
  expect(receive('asked', STATUS)).toEqual({ type: 'accept' })
  await settle()
  expect(capacity('asked')).toBe(longest)
  await end(run)
})

test.each<readonly [string, BlockSyncMessage['sum']]>([
  ['a request of a negative height', { case: 'blockRequest', value: { height: -1 } }],
  ['a negative height', { case: 'statusResponse', value: { base: 0, height: -1 } }],
  ['a base above the height', { case: 'statusResponse', value: { base: 11, height: 10 } }],
  ['a refusal of a negative height', { case: 'noBlockResponse', value: { height: -1 } }],
  ['nothing', undefined],
])('error: %s', (_what, sum) => {
  expect(begun().receive('asked', encode(sum))).toMatchObject({ type: 'reject' })
})
