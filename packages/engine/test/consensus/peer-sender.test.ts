import { createVirtualClock } from '@org/runtime'
import { bitSetFrom } from '@org/types'
import { expect, test } from 'vitest'
import { createHeldMessages } from '../../src/consensus/gossip/held-messages.ts'
import { createPeerSender, type Sending } from '../../src/consensus/gossip/peer-sender.ts'
import { createPendingAnnouncements } from '../../src/consensus/gossip/pending-announcements.ts'
import { scriptedPeer, settle } from '../support/scripted-peer.ts'

const message = (n: number): Uint8Array => Uint8Array.of(n)
const numbers = (peer: ReturnType<typeof scriptedPeer>): number[] =>
  peer.sent.map(({ message: bytes }) => bytes[0] ?? -1)

/** A signal that never aborts. */
const never = new AbortController().signal

function senderOf(lacking: number[], signal = never) {
  const peer = scriptedPeer('a')
  const errors: unknown[] = []
  const next = (): Sending | undefined => {
    const n = lacking[0]
    if (n === undefined) return undefined
    if (n < 0) throw new Error('the store is broken')
    return { channel: 1, encode: () => message(n), sent: () => void lacking.shift() }
  }
  const onError = (error: unknown): void => void errors.push(error)
  return { peer, errors, sender: createPeerSender(peer, { next, onError, signal }) }
}

test('default: sends all missing messages, one after the other', () => {
  const { peer, sender } = senderOf([1, 2, 3])
  sender.wake()
  expect(numbers(peer)).toEqual([1, 2, 3])
})

test('behavior: waits for a full queue, and sends a message again at the next wake after a failed send', async () => {
  const lacking = [1, 2, 3]
  const { peer, sender } = senderOf(lacking)
  peer.room = 1
  sender.wake()
  sender.wake()
  expect([numbers(peer), lacking]).toEqual([[1], [2, 3]])
  peer.fail()
  await settle()
  expect(lacking).toEqual([2, 3])
  peer.room = 9
  sender.wake()
  expect([numbers(peer), lacking]).toEqual([[1, 2, 3], []])
})

test('behavior: sends the follow-up of a message directly after it', () => {
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
  createPeerSender(peer, { next: () => first, onError: () => undefined, signal: never }).wake()
  expect([numbers(peer), order]).toEqual([
    [1, 2],
    ['first', 'second'],
  ])
})

test('error: reports a source that fails, and asks it again at the next wake', () => {
  const lacking = [-1]
  const { peer, sender, errors } = senderOf(lacking)
  sender.wake()
  expect(errors.length).toBe(1)
  lacking[0] = 4
  sender.wake()
  expect(numbers(peer)).toEqual([4])
})

test('edge: nothing is sent after the end of the peer, also if a message waited for room', async () => {
  const gone = new AbortController()
  const lacking = [1, 2]
  const { peer, sender } = senderOf(lacking, gone.signal)
  peer.room = 0
  sender.wake()
  gone.abort()
  peer.drain(10)
  await settle()
  sender.wake()
  expect([numbers(peer), lacking]).toEqual([[1], [1, 2]])
})

test('edge: after the end of the peer, announcements are neither kept nor sent', async () => {
  const gone = new AbortController()
  const peer = scriptedPeer('a')
  const announcements = createPendingAnnouncements(peer, gone.signal)
  peer.room = 0
  announcements.announce('newRoundStep', message(1))
  announcements.flush()
  announcements.announce('hasVote', message(9))
  gone.abort()
  announcements.announce('newValidBlock', message(2))
  expect(announcements.size()).toBe(0)
  peer.drain(10)
  await settle()
  announcements.flush()
  expect(numbers(peer)).toEqual([1])
})

test('behavior: a slow reader receives the newest state, without the votes in between', async () => {
  const peer = scriptedPeer('a')
  const announcements = createPendingAnnouncements(peer, never)
  peer.room = 0
  announcements.announce('newRoundStep', message(1))
  announcements.flush()
  for (let i = 0; i < 500; i++) announcements.announce('hasVote', message(9))
  announcements.announce('newRoundStep', message(2))
  announcements.announce('newRoundStep', message(3))
  peer.drain(1000)
  await settle()
  const received = numbers(peer)
  expect(received.filter((n) => n !== 9)).toEqual([1, 3])
  expect(received.length).toBeLessThan(210)
})

test('behavior: a message that could not be sent makes the state stale until it is sent again', async () => {
  const peer = scriptedPeer('a')
  const announcements = createPendingAnnouncements(peer, never)
  peer.room = 0
  announcements.announce('newRoundStep', message(1))
  announcements.flush()
  peer.fail()
  await settle()
  expect(announcements.isStale()).toBe(true)
  peer.room = 5
  announcements.announce('newRoundStep', message(2))
  announcements.flush()
  expect([numbers(peer), announcements.isStale()]).toEqual([[2], false])
})

test('behavior: steps of one round that follow each other are one message; votes wait for an urgent message', () => {
  const peer = scriptedPeer('a')
  const announcements = createPendingAnnouncements(peer, never)
  announcements.announce('hasVote', message(9))
  expect(announcements.isUrgent()).toBe(false)
  announcements.announce('newRoundStep', message(1), '5/0')
  announcements.announce('newRoundStep', message(2), '5/0')
  announcements.announce('hasVote', message(8))
  announcements.announce('newRoundStep', message(3), '5/0')
  announcements.announce('newRoundStep', message(4), '5/1')
  expect([numbers(peer), announcements.isUrgent()]).toEqual([[], true])
  announcements.flush()
  expect(numbers(peer)).toEqual([9, 8, 3, 4])
})

test('behavior: a step does not overtake a message that was queued before it', () => {
  const peer = scriptedPeer('a')
  const announcements = createPendingAnnouncements(peer, never)
  announcements.announce('newRoundStep', message(1), '5/0')
  announcements.announce('newValidBlock', message(2))
  announcements.announce('newRoundStep', message(3), '5/0')
  announcements.flush()
  expect(numbers(peer)).toEqual([1, 2, 3])
})

test('behavior: each position that was noted for a peer is held back for a fixed time', () => {
  const clock = createVirtualClock()
  let ripe = 0
  const fresh = createHeldMessages(20, { clock, onRelease: () => void ripe++, signal: never })
  const all = bitSetFrom(4, () => true)
  fresh.hold('a', 1)
  clock.advance(15)
  fresh.hold('a', 2)
  fresh.hold('b', 0)
  expect([
    String(fresh.withoutHeld('a', all)),
    String(fresh.withoutHeld('b', all)),
    String(fresh.withoutHeld('c', all)),
  ]).toEqual(['x__x', '_xxx', 'xxxx'])
  clock.advance(5)
  expect([String(fresh.withoutHeld('a', all)), ripe]).toEqual(['xx_x', 1])
  clock.advance(15)
  expect([String(fresh.withoutHeld('a', all)), String(fresh.withoutHeld('b', all)), ripe]).toEqual(['xxxx', 'xxxx', 2])
  expect(clock.pending()).toBe(0)
})

test('edge: when the gossip stops, nothing is held, and no timer waits', () => {
  const clock = createVirtualClock()
  const ended = new AbortController()
  let ripe = 0
  const fresh = createHeldMessages(20, { clock, onRelease: () => void ripe++, signal: ended.signal })
  fresh.hold('a', 1)
  ended.abort()
  expect([fresh.hold('a', 2), fresh.size(), clock.pending()]).toEqual([false, 0, 0])
  clock.advance(100)
  expect(ripe).toBe(0)
})
