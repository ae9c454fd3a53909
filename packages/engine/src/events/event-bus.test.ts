import type { EventData } from '@org/types'
import { describe, expect, it } from 'vitest'
import { createEventBus, EVENT_ERRORS, type EventItem, type Subscription } from './index.ts'
import { parseQuery } from './query/index.ts'

const lock = (height: number): EventData => ({ type: 'Lock', height, round: 0, step: 'RoundStepPrecommit' })
const polka: EventData = { type: 'Polka', height: 1, round: 0, step: 'RoundStepPrecommit' }
const LOCKS = parseQuery("tm.event='Lock'")

async function take(subscription: Subscription, count: number): Promise<EventItem[]> {
  const iterator = subscription[Symbol.asyncIterator]()
  const items: EventItem[] = []
  while (items.length < count) {
    const { value, done } = await iterator.next()
    if (done === true) break
    items.push(value as EventItem)
  }
  return items
}

describe('event bus', () => {
  it('default: subscribers receive the events that match their query, in order', async () => {
    const bus = createEventBus()
    const locks = bus.subscribe({ subscriber: 'a', query: LOCKS, capacity: 10 })
    const all = bus.subscribe({ subscriber: 'a', query: parseQuery('tm.event EXISTS'), capacity: 10 })
    expect([lock(1), polka, lock(2)].map(bus.publish)).toEqual([1, 2, 3])
    expect((await take(locks, 2)).map(({ sequence }) => sequence)).toEqual([1, 3])
    expect((await take(all, 3)).map(({ data }) => data.type)).toEqual(['Lock', 'Polka', 'Lock'])
    expect(bus.sequence()).toBe(3)
  })

  it('behavior: reads an event once, and matches each distinct query once', () => {
    const bus = createEventBus()
    const items: EventItem[] = []
    for (let i = 0; i < 50; i++) {
      for (const text of ["app.key='1'", "app.key = '1'", "tm.event='NewBlockEvents'"]) {
        bus.subscribe({ subscriber: `${i} ${text}`, query: parseQuery(text), onItem: (item) => items.push(item) })
      }
    }
    let looks = 0
    bus.publish({
      type: 'NewBlockEvents',
      height: 1,
      numTxs: 0,
      get events() {
        looks++
        return [{ type: 'app', attributes: [{ key: 'key', value: '1', index: true }] }]
      },
    })
    expect([looks, items.length, new Set(items).size]).toEqual([1, 150, 1])
  })

  it('behavior: all subscribers receive the same item', async () => {
    const bus = createEventBus()
    const [a, b] = ['a', 'b'].map((subscriber) => bus.subscribe({ subscriber, query: LOCKS })) as [
      Subscription,
      Subscription,
    ]
    bus.publish(lock(1))
    expect((await take(a, 1))[0]).toBe((await take(b, 1))[0])
  })

  it('behavior: a waiting iteration receives the next event', async () => {
    const bus = createEventBus()
    const subscription = bus.subscribe({ subscriber: 'a', query: LOCKS })
    const taken = take(subscription, 1)
    bus.publish(lock(7))
    expect(await taken).toMatchObject([{ data: { height: 7 } }])
  })

  it('behavior: only the subscriber that does not read its events loses its subscription', async () => {
    const bus = createEventBus()
    const slow = bus.subscribe({ subscriber: 'slow', query: LOCKS, capacity: 2 })
    const seen: EventItem[] = []
    bus.subscribe({ subscriber: 'fast', query: LOCKS, onItem: (item) => seen.push(item) })
    for (let height = 1; height <= 3; height++) bus.publish(lock(height))
    expect(slow.cancelled()).toBe('overflow')
    expect(await take(slow, 1)).toEqual([])
    expect(seen).toHaveLength(3)
    expect(bus.numClients()).toBe(1)
  })

  it('behavior: leaving an iteration ends the subscription', async () => {
    const bus = createEventBus()
    const subscription = bus.subscribe({ subscriber: 'a', query: LOCKS })
    bus.publish(lock(1))
    for await (const _ of subscription) break
    expect(subscription.cancelled()).toBe('unsubscribed')
    expect(bus.numClients()).toBe(0)
  })

  it('behavior: subscriptions end by query, by subscriber, and with the bus', () => {
    const end = new AbortController()
    const bus = createEventBus(end.signal)
    const reasons: string[] = []
    const onCancel = (reason: string): void => void reasons.push(reason)
    const polkas = parseQuery("tm.event = 'Polka'")
    for (const query of [LOCKS, polkas]) {
      for (const subscriber of ['a', 'b', 'c']) bus.subscribe({ subscriber, query, onCancel })
    }
    expect([bus.numClients(), bus.numClientSubscriptions('a')]).toEqual([3, 2])
    bus.unsubscribe('a', parseQuery("tm.event   =  'Lock'"))
    expect(bus.numClientSubscriptions('a')).toBe(1)
    bus.unsubscribeAll('b')
    expect(bus.numClients()).toBe(2)
    end.abort()
    expect(reasons).toEqual(['unsubscribed', 'unsubscribed', 'unsubscribed', 'stopped', 'stopped', 'stopped'])
    expect(bus.numClients()).toBe(0)
  })

  it('behavior: a subscriber may subscribe and leave while it takes an event', () => {
    const bus = createEventBus()
    let late = 0
    const first = bus.subscribe({
      subscriber: 'a',
      query: LOCKS,
      onItem: () => {
        first.cancel()
        bus.subscribe({ subscriber: 'late', query: LOCKS, onItem: () => late++ })
      },
    })
    bus.publish(lock(1))
    expect(late).toBe(0)
    bus.publish(lock(2))
    expect(late).toBe(1)
  })

  it('error: a subscriber that throws loses its subscription, the others get the event', () => {
    const bus = createEventBus()
    const broken = bus.subscribe({
      subscriber: 'broken',
      query: LOCKS,
      onItem: () => {
        throw new Error('broken')
      },
    })
    let seen = 0
    bus.subscribe({ subscriber: 'a', query: LOCKS, onItem: () => seen++ })
    bus.publish(lock(1))
    expect([broken.cancelled(), seen]).toEqual(['failed', 1])
  })

  it('error: refuses a duplicate query, an unknown query and a stopped bus', () => {
    const end = new AbortController()
    const bus = createEventBus(end.signal)
    bus.subscribe({ subscriber: 'a', query: LOCKS })
    expect(() => bus.subscribe({ subscriber: 'a', query: LOCKS })).toThrow(
      expect.objectContaining({ code: EVENT_ERRORS.alreadySubscribed, message: 'already subscribed' }),
    )
    const missing = expect.objectContaining({ code: EVENT_ERRORS.notSubscribed, message: 'subscription not found' })
    expect(() => bus.unsubscribe('b', LOCKS)).toThrow(missing)
    expect(() => bus.unsubscribe('a', parseQuery('a EXISTS'))).toThrow(missing)
    expect(() => bus.unsubscribeAll('b')).toThrow(missing)
    end.abort()
    expect(() => bus.subscribe({ subscriber: 'b', query: LOCKS })).toThrow(
      expect.objectContaining({ code: EVENT_ERRORS.stopped }),
    )
  })
})
