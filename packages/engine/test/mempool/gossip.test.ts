import { createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import { ExecTxResult, ResponseCheckTx } from '@org/types/abci'
import { MempoolMessage } from '@org/types/messages'
import { expect, test } from 'vitest'
import {
  createMempoolGossip,
  DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
  MEMPOOL_CHANNEL,
  type MempoolGossipOptions,
} from '../../src/mempool/gossip/index.ts'
import { RELAY_DELAY_MIN_TXS, RELAY_DELAY_MS, TXS_PER_MS } from '../../src/mempool/gossip/options.ts'
import { TURN_PIECE } from '../../src/mempool/gossip/turns.ts'
import { createFloodMempool, DEFAULT_MEMPOOL_OPTIONS, type MempoolApp } from '../../src/mempool/index.ts'
import { type ScriptedPeer, scriptedPeer, settle } from '../support/scripted-peer.ts'

const encode = (...txs: Uint8Array[]): Uint8Array => MempoolMessage.encode({ sum: { case: 'txs', value: { txs } } })
const txsOf = (peer: ScriptedPeer): string[] =>
  peer.sent.flatMap(({ message }) => (MempoolMessage.decode(message).sum?.value.txs ?? []).map((tx) => String(tx[0])))
const tx = (n: number, length = 3): Uint8Array => new Uint8Array(length).fill(n)

function open(options: Partial<MempoolGossipOptions> = {}, app: Partial<MempoolApp> = {}) {
  const clock = createVirtualClock()
  const heights = new Map<string, number>()
  const listeners = new Set<(id: string) => void>()
  const base = { clock, logger: noopLogger, metrics: noopMetrics }
  const mempool = createFloodMempool(DEFAULT_MEMPOOL_OPTIONS, {
    ...base,
    height: 10,
    app: {
      checkTx: async () => ResponseCheckTx.create({}),
      flush: async () => undefined,
      onError: () => undefined,
      ...app,
    },
  })
  const gossip = createMempoolGossip(
    { ...DEFAULT_MEMPOOL_GOSSIP_OPTIONS, ...options },
    {
      ...base,
      mempool,
      heights: {
        heightOf: (id) => heights.get(id) ?? 0,
        onHeight: (listener) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
      isUnconditional: (id) => id === 'unconditional',
      isConsensusBusy: () => false,
    },
  )
  const add = (id: string, height = 10, more = {}): ScriptedPeer => {
    const peer = scriptedPeer(id, more)
    heights.set(id, height)
    gossip.reactor.addPeer(peer)
    return peer
  }
  const setHeight = (id: string, height: number): void => {
    heights.set(id, height)
    for (const listener of listeners) listener(id)
  }
  const receive = (peer: ScriptedPeer, bytes: Uint8Array) => gossip.reactor.receive(peer, MEMPOOL_CHANNEL, bytes)
  return { mempool, gossip, clock, add, setHeight, receive }
}

test('default: every transaction goes to every peer once, and not back to its sender', async () => {
  const { mempool, add, receive } = open()
  const [a, b] = [add('a'), add('b')]
  await mempool.checkTx(tx(1))
  expect(receive(a, encode(tx(2), tx(3)))).toEqual({ type: 'accept' })
  await receive(b, encode(tx(3)))
  await settle()
  expect(txsOf(a)).toEqual(['1'])
  expect(txsOf(b)).toEqual(['1', '2'])
  const late = add('late')
  await settle()
  expect(txsOf(late)).toEqual(['1', '2', '3'])
})

test('behavior: a transaction that two peers sent during its check goes back to neither', async () => {
  const answers: (() => void)[] = []
  const checkTx: MempoolApp['checkTx'] = () =>
    new Promise((resolve) => answers.push(() => resolve(ResponseCheckTx.create({}))))
  const { add, receive } = open({}, { checkTx })
  const [a, b, c] = [add('a'), add('b'), add('c')]
  void receive(a, encode(tx(1)))
  void receive(b, encode(tx(1)))
  answers[0]?.()
  await settle()
  expect([a, b, c].map(txsOf)).toEqual([[], [], ['1']])
})

test('behavior: a full queue stops the cursor, and a failed send is repeated', async () => {
  const { mempool, clock, add } = open()
  const peer = add('a')
  peer.room = 1
  for (const n of [1, 2, 3]) await mempool.checkTx(tx(n))
  await settle()
  expect(txsOf(peer)).toEqual(['1'])
  peer.fail()
  await settle()
  expect(txsOf(peer)).toEqual(['1'])
  peer.room = 5
  clock.advance(1000)
  await settle()
  expect(txsOf(peer)).toEqual(['1', '2', '3'])
})

test('behavior: a peer more than a block behind gets transactions when it has caught up', async () => {
  const { mempool, add, setHeight } = open()
  const peer = add('a', 8)
  await mempool.checkTx(tx(1))
  expect(txsOf(peer)).toEqual([])
  setHeight('a', 9)
  expect(txsOf(peer)).toEqual(['1'])
})

test('behavior: only a limited number of peers of a kind get transactions at once; the next replaces one that leaves', async () => {
  const { mempool, gossip, add } = open({ maxNonPersistentPeers: 1, maxPersistentPeers: 1 })
  const first = add('first')
  const gone = add('gone')
  const second = add('second')
  const persistent = add('persistent', 10, { persistent: true })
  const unconditional = add('unconditional')
  await mempool.checkTx(tx(1))
  expect([first, second, persistent, unconditional].map(txsOf)).toEqual([['1'], [], ['1'], ['1']])
  gossip.reactor.removePeer(gone, undefined)
  gossip.reactor.removePeer(first, undefined)
  await settle()
  expect([gone, second].map(txsOf)).toEqual([[], ['1']])
})

test('behavior: reading from a peer pauses while its transactions wait for the application', async () => {
  const answers: (() => void)[] = []
  const checkTx: MempoolApp['checkTx'] = () =>
    new Promise((resolve) => answers.push(() => resolve(ResponseCheckTx.create({}))))
  const { add, receive } = open({ maxPendingPerPeer: 2 }, { checkTx })
  const peer = add('a')
  expect(receive(peer, encode(tx(1)))).toEqual({ type: 'accept' })
  let done = false
  const held = Promise.resolve(receive(peer, encode(tx(2)))).then(() => {
    done = true
  })
  await settle()
  expect(done).toBe(false)
  answers[0]?.()
  await held
})

test('behavior: a message of many small transactions, new or known, is taken in turns that all peers share', async () => {
  const { mempool, clock, gossip, add, receive } = open()
  const [flooder, honest] = [add('flooder'), add('honest')]
  const number = (n: number): Uint8Array => Uint8Array.of(n >> 8, n & 255)
  const flood = receive(flooder, encode(...Array.from({ length: 1000 }, (_, n) => number(n))))
  expect(mempool.size()).toBeLessThanOrEqual(TXS_PER_MS)
  await settle()
  expect(mempool.size()).toBe(TXS_PER_MS)
  // The transaction of the honest peer is checked before the rest of the flooder's message.
  const other = receive(honest, encode(tx(7)))
  clock.advance(1)
  expect(await other).toEqual({ type: 'accept' })
  await settle()
  expect(mempool.size()).toBeLessThanOrEqual(2 * TXS_PER_MS + TURN_PIECE)
  let steps = 0
  for (; mempool.size() < 1001; steps++) {
    const before = mempool.size()
    clock.advance(1)
    await settle()
    expect(mempool.size() - before).toBeLessThanOrEqual(TXS_PER_MS + TURN_PIECE)
  }
  expect(await flood).toEqual({ type: 'accept' })
  expect(steps).toBeGreaterThanOrEqual(Math.floor(1000 / TXS_PER_MS) - 2)
  // The flooder now sends a message whose transactions are already in the mempool. The node takes it in several turns,
  // like the flooder's first message. The flooder disconnects before the last turn, so the rest of the message is
  // dropped.
  const again = receive(flooder, encode(...Array.from({ length: 1000 }, (_, n) => number(n + 500))))
  clock.advance(1)
  await settle()
  gossip.reactor.removePeer(flooder, undefined)
  clock.advance(1)
  expect(await again).toMatchObject({ type: 'ignore' })
  expect(mempool.size()).toBe(1001)
})

test("behavior: the number of one message's transactions that wait for the application is bounded", async () => {
  const answers: (() => void)[] = []
  const checkTx: MempoolApp['checkTx'] = () =>
    new Promise((resolve) => answers.push(() => resolve(ResponseCheckTx.create({}))))
  const { clock, add, receive } = open({ maxPendingPerPeer: 20 }, { checkTx })
  const held = receive(add('a'), encode(...Array.from({ length: 200 }, (_, n) => tx(n + 1))))
  const askedAfter = async (): Promise<number> => {
    for (let i = 0; i < 10; i++) {
      clock.advance(1)
      await settle(1)
    }
    return answers.length
  }
  expect(await askedAfter()).toBeLessThan(20 + TURN_PIECE)
  for (let answered = 0; answered < 200; answered++) {
    if (answers[answered] === undefined) await askedAfter()
    answers[answered]?.()
  }
  expect(await held).toEqual({ type: 'accept' })
})

test.each([
  ['no message', Uint8Array.of(0xff)],
  ['no transaction', encode()],
  ['an empty transaction', encode(new Uint8Array(0))],
  ['a transaction over the limit', encode(tx(1, 101))],
])('error: %s costs the peer its connection', async (_name, bytes) => {
  const { add, receive } = open({ maxTxBytes: 100 })
  expect(await receive(add('a'), bytes)).toMatchObject({ type: 'reject' })
})

test('behavior: without broadcast nothing is sent, and everything is accepted', async () => {
  const { mempool, add, receive } = open({ broadcast: false })
  const peer = add('a')
  await receive(peer, encode(tx(1)))
  await settle()
  expect(mempool.size()).toBe(1)
  expect(txsOf(add('b'))).toEqual([])
})

test('behavior: transactions that arrive while a message waits for room are sent together, up to a size', async () => {
  const { mempool, add } = open()
  const peer = add('a')
  peer.room = 1
  for (let n = 1; n <= 9; n++) await mempool.checkTx(tx(n, n === 9 ? 16_000 : 200))
  await settle()
  peer.drain(9)
  await settle()
  const counts = peer.sent.map(({ message }) => MempoolMessage.decode(message).sum?.value.txs.length)
  expect([counts, txsOf(peer)]).toEqual([
    [1, 1, 6, 1],
    ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  ])
})

test('behavior: a message of many small transactions is at most as long as the reference accepts, and has no empty transaction', async () => {
  const maxTxBytes = 64
  const { mempool, add } = open({ maxTxBytes })
  const peer = add('a')
  peer.room = 1
  await mempool.checkTx(new Uint8Array(0))
  for (let n = 1; n <= 100; n++) await mempool.checkTx(tx(n, 1))
  await settle()
  peer.drain(100)
  await settle()
  const longest = encode(new Uint8Array(maxTxBytes)).length
  expect(Math.max(...peer.sent.map(({ message }) => message.length))).toBeLessThanOrEqual(longest)
  expect(txsOf(peer)).toEqual(Array.from({ length: 100 }, (_, n) => String(n + 1)))
})

test('behavior: while many transactions wait, the dialling side delays forwarded transactions for a moment, and then sends the rest', async () => {
  const { mempool, clock, add, receive } = open()
  const [a, dialled] = [add('a'), add('dialled')]
  const accepted = add('accepted', 10, { outbound: false })
  const many = Array.from({ length: RELAY_DELAY_MIN_TXS }, (_, n) => tx(n + 1))
  const taken = receive(a, encode(...many))
  await settle()
  clock.advance(1)
  await taken
  await mempool.checkTx(tx(200))
  await settle()
  expect(txsOf(accepted)).toHaveLength(RELAY_DELAY_MIN_TXS + 1)
  const before = txsOf(dialled).length
  expect(before).toBeLessThan(RELAY_DELAY_MIN_TXS)
  // The node has delayed some transactions to the dialled peer. Now this peer sends one of them itself, and a block
  // contains another one. So the node sends neither of these two transactions to this peer.
  await receive(dialled, encode(tx(RELAY_DELAY_MIN_TXS)))
  const last = [tx(RELAY_DELAY_MIN_TXS - 1)]
  await mempool.update({ height: 11, txs: last, txResults: [ExecTxResult.create({})] })
  clock.advance(RELAY_DELAY_MS)
  await settle()
  const sent = txsOf(dialled)
  expect(new Set(sent).size).toBe(sent.length)
  expect(sent.filter((one) => [RELAY_DELAY_MIN_TXS - 1, RELAY_DELAY_MIN_TXS].includes(Number(one)))).toEqual([])
  expect(sent).toHaveLength(RELAY_DELAY_MIN_TXS - 1)
  expect(sent.at(-1)).toBe('200')
})
