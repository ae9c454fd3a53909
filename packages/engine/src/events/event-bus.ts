import type { EventData } from '@org/types'
import { EVENT_ERRORS, EventError } from './errors.ts'
import { flattenEvent } from './flat-events.ts'
import { compileQuery, eventTypeOf, type Matcher, type Query } from './query/index.ts'
import {
  createSubscription,
  type EventItem,
  type LiveSubscription,
  type SubscribeRequest,
  type Subscription,
} from './subscription.ts'

/** The event of a committed block, with the block and its results. */
export type NewBlock = Extract<EventData, { readonly type: 'NewBlock' }>

/** Delivers events to subscribers. Publishing is synchronous and never waits for a subscriber. */
export interface EventBus {
  /**
   * Delivers the event to every subscription whose query matches the event. Returns the sequence number of the event.
   */
  readonly publish: (data: EventData) => number
  /**
   * Creates a subscription. Throws {@link EventError} if the subscriber has a subscription to this query already, or if
   * the bus is stopped.
   */
  readonly subscribe: (request: SubscribeRequest) => Subscription
  /** Ends the subscriber's subscription to this query. Throws {@link EventError} if there is no such subscription. */
  readonly unsubscribe: (subscriber: string, query: Query) => void
  readonly unsubscribeAll: (subscriber: string) => void
  readonly numClients: () => number
  readonly numClientSubscriptions: (subscriber: string) => number
  /** The sequence number of the last event. */
  readonly sequence: () => number
  /** The newest block whose `NewBlock` event was published; `undefined` before the first one. */
  readonly lastBlock: () => NewBlock | undefined
}

/** All subscriptions to one query. Each event is compared only once with the query, not once for each subscription. */
interface QueryGroup {
  readonly matches: Matcher
  readonly subscriptions: Set<LiveSubscription>
}

/** Creates a bus. When the signal aborts, all subscriptions end, and the bus delivers no further event. */
export function createEventBus(signal?: AbortSignal): EventBus {
  // Most queries test only the type of an event. The bus finds the groups of these queries by the type of the event, so
  // it need not test each of these queries.
  const byType = new Map<string, QueryGroup>()
  const byText = new Map<string, QueryGroup>()
  const clients = new Map<string, Map<string, LiveSubscription>>()
  let sequence = 0
  let lastBlock: NewBlock | undefined

  function groupOf(query: Query): QueryGroup {
    const type = eventTypeOf(query)
    const [groups, key] = type === undefined ? [byText, query.text] : [byType, type]
    let group = groups.get(key)
    if (group === undefined) {
      group = { matches: compileQuery(query), subscriptions: new Set() }
      groups.set(key, group)
    }
    return group
  }

  function forget(subscription: LiveSubscription): void {
    const { query, subscriber } = subscription
    const type = eventTypeOf(query)
    const [groups, key] = type === undefined ? [byText, query.text] : [byType, type]
    const group = groups.get(key)
    group?.subscriptions.delete(subscription)
    if (group?.subscriptions.size === 0) groups.delete(key)
    const subscriptions = clients.get(subscriber)
    subscriptions?.delete(query.text)
    if (subscriptions?.size === 0) clients.delete(subscriber)
  }

  function deliver(group: QueryGroup, item: EventItem): void {
    // The loop runs over a copy, because subscriptions may end and new ones may begin during the delivery.
    for (const subscription of Array.from(group.subscriptions)) subscription.deliver(item)
  }

  function endAll(): void {
    for (const subscriptions of clients.values()) {
      for (const subscription of subscriptions.values()) subscription.cancel('stopped')
    }
  }
  signal?.addEventListener('abort', endAll, { once: true })

  const notSubscribed = (): EventError => new EventError(EVENT_ERRORS.notSubscribed, 'subscription not found')

  return {
    publish: (data) => {
      sequence++
      if (data.type === 'NewBlock') lastBlock = data
      if (signal?.aborted === true) return sequence
      const typed = byType.get(data.type)
      if (typed === undefined && byText.size === 0) return sequence
      const item: EventItem = { sequence, data, events: flattenEvent(data) }
      const groups = [...byText.values()].filter(({ matches }) => matches(item.events))
      if (typed !== undefined) deliver(typed, item)
      for (const group of groups) deliver(group, item)
      return sequence
    },
    subscribe: (request) => {
      const { subscriber, query } = request
      if (signal?.aborted === true) throw new EventError(EVENT_ERRORS.stopped, 'service is shutting down')
      const subscriptions = clients.get(subscriber) ?? new Map<string, LiveSubscription>()
      if (subscriptions.has(query.text)) throw new EventError(EVENT_ERRORS.alreadySubscribed, 'already subscribed')
      const subscription: LiveSubscription = createSubscription(request, () => forget(subscription))
      subscriptions.set(query.text, subscription)
      clients.set(subscriber, subscriptions)
      groupOf(query).subscriptions.add(subscription)
      return subscription
    },
    unsubscribe: (subscriber, query) => {
      const subscription = clients.get(subscriber)?.get(query.text)
      if (subscription === undefined) throw notSubscribed()
      subscription.cancel('unsubscribed')
    },
    unsubscribeAll: (subscriber) => {
      const subscriptions = clients.get(subscriber)
      if (subscriptions === undefined) throw notSubscribed()
      for (const subscription of subscriptions.values()) subscription.cancel('unsubscribed')
    },
    numClients: () => clients.size,
    numClientSubscriptions: (subscriber) => clients.get(subscriber)?.size ?? 0,
    sequence: () => sequence,
    lastBlock: () => lastBlock,
  }
}
