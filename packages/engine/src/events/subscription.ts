import type { EventData } from '@org/types'
import type { FlatEvents, Query } from './query/index.ts'

/**
 * An event with its attributes. All subscribers receive the same object, so that data that is derived from it, such as
 * its JSON, is made only once.
 */
export interface EventItem {
  /** The number of the event: 1 for the first event of this bus, and then one more for each event. */
  readonly sequence: number
  readonly data: EventData
  readonly events: FlatEvents
}

/** The reasons for which a subscription can end, with the texts that clients receive. */
export const CANCEL_REASONS = {
  unsubscribed: 'client unsubscribed',
  overflow: 'internal subscription event buffer is out of capacity',
  failed: 'the subscriber threw an error',
  stopped: 'CometBFT exited',
} as const

/**
 * The reason for which a subscription ended, such as `overflow`. {@link CANCEL_REASONS} has the texts for clients.
 */
export type CancelReason = keyof typeof CANCEL_REASONS

/** A request for the events that match a query. */
export interface SubscribeRequest {
  /** The subscriber's name; a subscriber may have one subscription per query. */
  readonly subscriber: string
  readonly query: Query
  /**
   * The maximum number of events that may wait to be received. If one more event comes, the subscription ends. Default
   * 1.
   */
  readonly capacity?: number
  /**
   * Called immediately with each event. If this function is given, no events wait in the subscription, and iterating
   * over the subscription returns no events. If the function cannot keep up, it must call `cancel('overflow')`. If the
   * function throws an error, this subscription ends. The other subscriptions are not affected.
   */
  readonly onItem?: (item: EventItem) => void
  readonly onCancel?: (reason: CancelReason) => void
}

/**
 * A subscription. To receive its events, iterate over it; this can be done only once. The iteration ends when the
 * subscription ends. If the iteration is left early, the subscription ends.
 */
export interface Subscription extends AsyncIterable<EventItem> {
  readonly subscriber: string
  readonly query: Query
  /** The number of events that wait to be received. */
  readonly size: () => number
  /** Returns the reason for which the subscription ended; `undefined` while the subscription is active. */
  readonly cancelled: () => CancelReason | undefined
  readonly cancel: (reason?: CancelReason) => void
}

export interface LiveSubscription extends Subscription {
  readonly deliver: (item: EventItem) => void
}

/** Creates a subscription. `remove` is called once, when the subscription ends for any reason. */
export function createSubscription(request: SubscribeRequest, remove: () => void): LiveSubscription {
  const { subscriber, query, capacity = 1, onItem, onCancel } = request
  let reason: CancelReason | undefined
  let waiting: ((result: IteratorResult<EventItem, undefined>) => void) | undefined
  const buffer: EventItem[] = []

  function cancel(why: CancelReason = 'unsubscribed'): void {
    if (reason !== undefined) return
    reason = why
    remove()
    // As in the reference, the events that still wait are lost when the subscription ends.
    buffer.length = 0
    waiting?.({ value: undefined, done: true })
    waiting = undefined
    onCancel?.(why)
  }

  function deliver(item: EventItem): void {
    if (reason !== undefined) return
    if (onItem !== undefined) {
      try {
        onItem(item)
      } catch {
        cancel('failed')
      }
    } else if (waiting !== undefined) {
      const resolve = waiting
      waiting = undefined
      resolve({ value: item, done: false })
    } else if (buffer.length < capacity) buffer.push(item)
    else cancel('overflow')
  }

  const iterator: AsyncIterator<EventItem, undefined> = {
    next: () => {
      const item = buffer.shift()
      if (item !== undefined) return Promise.resolve({ value: item, done: false })
      if (reason !== undefined) return Promise.resolve({ value: undefined, done: true })
      return new Promise((resolve) => {
        waiting = resolve
      })
    },
    return: () => {
      cancel()
      return Promise.resolve({ value: undefined, done: true })
    },
  }

  return {
    subscriber,
    query,
    size: () => buffer.length,
    cancelled: () => reason,
    cancel,
    deliver,
    [Symbol.asyncIterator]: () => iterator,
  }
}
