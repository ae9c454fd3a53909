import { createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import { Block, BlockIdFlag, Commit, CommitSig } from '@org/types/block'
import { Message } from '@org/types/blocksync'
import { expect, test } from 'vitest'
import { makeFirstState } from '../../test/support/first-state.ts'
import { scriptedPeer, settle } from '../../test/support/scripted-peer.ts'
import { createBlockStore, createMemoryStore } from '../store/index.ts'
import { BLOCKSYNC_CHANNEL, DEFAULT_BLOCKSYNC_OPTIONS, LATE_ANSWERS_MS } from './options.ts'
import { createBlockSync } from './reactor.ts'

const encode = (sum: Message['sum']): Uint8Array => Message.encode({ sum })

/** A block with so many signatures in its last commit. */
function response(signatures: number): Uint8Array {
  const entry = CommitSig.create({ blockIdFlag: BlockIdFlag.absent })
  const lastCommit = Commit.create({ height: 1, signatures: Array.from({ length: signatures }, () => entry) })
  return encode({ case: 'blockResponse', value: { block: { ...Block.create({}), lastCommit }, extCommit: undefined } })
}

function begun() {
  const { state } = makeFirstState({ chainId: 'sync', time: 0n, powers: [10n] })
  const peers = new Map(['asked', 'other'].map((id) => [id, scriptedPeer(id)]))
  const clock = createVirtualClock()
  let needed = false
  const sync = createBlockSync(DEFAULT_BLOCKSYNC_OPTIONS, {
    // No block gets so far.
    executor: {} as never,
    blockStore: createBlockStore({}, { db: createMemoryStore() }),
    state: () => state,
    isNeeded: () => needed,
    peers: { stop: () => undefined, broadcast: () => undefined, peer: (id) => peers.get(id) },
    clock,
    logger: noopLogger,
    metrics: noopMetrics,
  })
  const peer = (id: string) => peers.get(id) as ReturnType<typeof scriptedPeer>
  for (const one of peers.values()) sync.reactor.addPeer(one)
  return {
    capacity: (id: string) => {
      const capacity = sync.reactor.channels[0]?.receiveMessageCapacity
      return typeof capacity === 'function' ? capacity(id) : capacity
    },
    leave: (id: string) => sync.reactor.removePeer(peer(id), undefined),
    clock,
    say: (id: string, bytes: Uint8Array) => sync.reactor.receive(peer(id), BLOCKSYNC_CHANNEL, bytes),
    begin: () => sync.catchUp(state),
    requests: (id: string) =>
      peer(id).sent.flatMap(({ message }) => {
        const { sum } = Message.decode(message)
        return sum?.case === 'blockRequest' ? [sum.value.height] : []
      }),
    end: async (run: Promise<unknown>) => {
      needed = true
      clock.advance(DEFAULT_BLOCKSYNC_OPTIONS.settleMs + 200)
      await run
    },
  }
}

const STATUS = encode({ case: 'statusResponse', value: { base: 1, height: 10 } })

test('error: a block while nothing is synced, or from somebody who was not asked', async () => {
  const { say, begin, end, requests } = begun()
  expect(say('asked', response(1))).toMatchObject({ type: 'reject', reason: expect.stringContaining('not active') })
  const run = begin()
  expect(say('asked', STATUS)).toEqual({ type: 'accept' })
  await settle()
  expect(requests('asked')).toContain(1)
  expect(say('other', response(1))).toMatchObject({ type: 'reject', reason: 'unsolicited BlockResponse' })
  await end(run)
})

test('error: more signatures than there can be validators, before anything is decoded; also when all is over', async () => {
  const { say, begin, end } = begun()
  const run = begin()
  expect(say('asked', STATUS)).toEqual({ type: 'accept' })
  const fault = { type: 'reject', reason: 'too many commit signatures: 10001 (max 10000)' }
  expect(say('asked', response(10_001))).toMatchObject(fault)
  await end(run)
  expect(say('asked', response(10_001))).toMatchObject(fault)
})

test('behavior: an answer that comes when this node has caught up is no fault', async () => {
  const { say, begin, end } = begun()
  const run = begin()
  expect(say('asked', STATUS)).toEqual({ type: 'accept' })
  await end(run)
  expect(say('asked', response(1))).toEqual({ type: 'ignore', reason: 'a block that is not needed any more' })
  expect(say('other', response(1))).toMatchObject({ type: 'ignore' })
})

test('behavior: only a peer that owes a block may send something long, also for a while after the end', async () => {
  const { say, begin, end, capacity, clock, leave } = begun()
  const [short, long] = [1024, 104_857_605]
  const both = () => [capacity('asked'), capacity('other')]
  expect(both()).toEqual([short, short])
  const run = begin()
  expect(both()).toEqual([short, short])
  expect(say('asked', STATUS)).toEqual({ type: 'accept' })
  await settle()
  expect(both()).toEqual([long, short])
  await end(run)
  expect(both()).toEqual([long, short])
  clock.advance(LATE_ANSWERS_MS)
  expect(both()).toEqual([short, short])
  leave('asked')
})

test.each<readonly [string, Message['sum']]>([
  ['a request of a negative height', { case: 'blockRequest', value: { height: -1 } }],
  ['a negative height', { case: 'statusResponse', value: { base: 0, height: -1 } }],
  ['a base above the height', { case: 'statusResponse', value: { base: 11, height: 10 } }],
  ['a refusal of a negative height', { case: 'noBlockResponse', value: { height: -1 } }],
  ['nothing', undefined],
])('error: %s', (_what, sum) => {
  expect(begun().say('asked', encode(sum))).toMatchObject({ type: 'reject' })
})
