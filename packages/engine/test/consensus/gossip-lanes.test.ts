import { createVirtualClock } from '@org/runtime'
import { bitSetFrom } from '@org/types/bits'
import { expect, test } from 'vitest'
import { createFresh } from '../../src/consensus/gossip/fresh.ts'
import { createOutbox } from '../../src/consensus/gossip/outbox.ts'
import { createLane, type Sending } from '../../src/consensus/gossip/sending.ts'
import { scriptedPeer, settle } from '../support/scripted-peer.ts'

const message = (n: number): Uint8Array => Uint8Array.of(n)
const numbers = (peer: ReturnType<typeof scriptedPeer>): number[] =>
  peer.sent.map(({ message: bytes }) => bytes[0] ?? -1)

function laneOf(lacking: number[]) {
  const peer = scriptedPeer('a')
  const errors: unknown[] = []
  const next = (): Sending | undefined => {
    const n = lacking[0]
    if (n === undefined) return undefined
    if (n < 0) throw new Error('the store is broken')
    return { channel: 1, encode: () => message(n), sent: () => void lacking.shift() }
  }
  return { peer, errors, lane: createLane(peer, { next, onError: (error) => void errors.push(error) }) }
}

test('default: everything that is lacking goes out, one after the other', () => {
  const { peer, lane } = laneOf([1, 2, 3])
  lane.wake()
  expect(numbers(peer)).toEqual([1, 2, 3])
})

test('behavior: a full queue waits; a send that fails leaves it lacking until the next wake', async () => {
  const lacking = [1, 2, 3]
  const { peer, lane } = laneOf(lacking)
  peer.room = 1
  lane.wake()
  lane.wake()
  expect([numbers(peer), lacking]).toEqual([[1], [2, 3]])
  peer.fail()
  await settle()
  expect(lacking).toEqual([2, 3])
  peer.room = 9
  lane.wake()
  expect([numbers(peer), lacking]).toEqual([[1, 2, 3], []])
})

test('behavior: what follows a message is sent right behind it', () => {
  const peer = scriptedPeer('a')
  const order: string[] = []
  let first: Sending | undefined = {
    channel: 1,
    encode: () => message(1),
    sent: () => {
      order.push('first')
      first = undefined
    },
    followUp: { channel: 1, encode: () => message(2), sent: () => void order.push('second') },
  }
  createLane(peer, { next: () => first, onError: () => undefined }).wake()
  expect([numbers(peer), order]).toEqual([
    [1, 2],
    ['first', 'second'],
  ])
})

test('error: a source that fails is told, and asked again at the next wake', () => {
  const lacking = [-1]
  const { peer, lane, errors } = laneOf(lacking)
  lane.wake()
  expect(errors.length).toBe(1)
  lacking[0] = 4
  lane.wake()
  expect(numbers(peer)).toEqual([4])
})

test('behavior: a slow reader hears the newest state, without the votes in between', async () => {
  const peer = scriptedPeer('a')
  const outbox = createOutbox(peer)
  peer.room = 0
  outbox.say('newRoundStep', message(1))
  outbox.flush()
  for (let i = 0; i < 500; i++) outbox.say('hasVote', message(9))
  outbox.say('newRoundStep', message(2))
  outbox.say('newRoundStep', message(3))
  peer.drain(1000)
  await settle()
  const received = numbers(peer)
  expect(received.filter((n) => n !== 9)).toEqual([1, 3])
  expect(received.length).toBeLessThan(210)
})

test('behavior: what could not be sent at all makes it stale, until the state is told anew', async () => {
  const peer = scriptedPeer('a')
  const outbox = createOutbox(peer)
  peer.room = 0
  outbox.say('newRoundStep', message(1))
  outbox.flush()
  peer.fail()
  await settle()
  expect(outbox.isStale()).toBe(true)
  peer.room = 5
  outbox.say('newRoundStep', message(2))
  outbox.flush()
  expect([numbers(peer), outbox.isStale()]).toEqual([[2], false])
})

test('behavior: steps of one round that follow each other are one message; votes wait for something urgent', () => {
  const peer = scriptedPeer('a')
  const outbox = createOutbox(peer)
  outbox.say('hasVote', message(9))
  expect(outbox.isUrgent()).toBe(false)
  outbox.say('newRoundStep', message(1), '5/0')
  outbox.say('newRoundStep', message(2), '5/0')
  outbox.say('hasVote', message(8))
  outbox.say('newRoundStep', message(3), '5/0')
  outbox.say('newRoundStep', message(4), '5/1')
  expect([numbers(peer), outbox.isUrgent()]).toEqual([[], true])
  outbox.flush()
  expect(numbers(peer)).toEqual([9, 8, 3, 4])
})

test('behavior: a step is not moved over what was said between', () => {
  const peer = scriptedPeer('a')
  const outbox = createOutbox(peer)
  outbox.say('newRoundStep', message(1), '5/0')
  outbox.say('newValidBlock', message(2))
  outbox.say('newRoundStep', message(3), '5/0')
  outbox.flush()
  expect(numbers(peer)).toEqual([1, 2, 3])
})

test('behavior: what came from a peer is held for a while, place by place', () => {
  const clock = createVirtualClock()
  let ripe = 0
  const fresh = createFresh(20, { clock, onRipe: () => void ripe++ })
  const all = bitSetFrom(4, () => true)
  fresh.note('a', 1)
  clock.advance(15)
  fresh.note('a', 2)
  fresh.note('b', 0)
  expect([String(fresh.ripe('a', all)), String(fresh.ripe('b', all)), String(fresh.ripe('c', all))]).toEqual([
    'x__x',
    '_xxx',
    'xxxx',
  ])
  clock.advance(5)
  expect([String(fresh.ripe('a', all)), ripe]).toEqual(['xx_x', 1])
  clock.advance(15)
  expect([String(fresh.ripe('a', all)), String(fresh.ripe('b', all)), ripe]).toEqual(['xxxx', 'xxxx', 2])
  expect(clock.pending()).toBe(0)
})
