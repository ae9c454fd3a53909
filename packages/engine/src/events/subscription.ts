import type { EventData } from '@org/types/events'
import type { FlatEvents, Query } from './query/index.ts'

/** One event. All subscribers receive the same object, so that derived data (its JSON) is made once. */
export interface EventItem {
  /** 1 for the first event of this bus, then increasing by 1. */
  readonly sequence: number
  readonly data: EventData
  readonly events: FlatEvents
}

/** The reasons for the end of a subscription. */
export const CANCEL_REASONS = {
  unsubscribed: 'client unsubscribed',
  overflow: 'internal subscription event buffer is out of capacity',
  failed: 'the subscriber threw an error',
  stopped: 'CometBFT exited',
} as const
export type CancelReason = keyof typeof CANCEL_REASONS

export interface SubscribeRequest {
  /** The subscriber's name; a subscriber may have one subscription per query. */
  readonly subscriber: string
  readonly query: Query
  /** The maximum number of events that may wait; one more ends the subscription. Default 1. */
  readonly capacity?: number
  /**
   * Called at once with each event. It replaces the iteration, so no event waits. A consumer that cannot keep up calls
   * `cancel('overflow')`. A consumer that throws loses its subscription; other subscriptions are not affected.
   */
  readonly onItem?: (item: EventItem) => void
  readonly onCancel?: (reason: CancelReason) => void
}

/**
 * Iterate it once to receive the events. The iteration ends with the subscription; leaving the iteration ends the
 * subscription.
 */
export interface Subscription extends AsyncIterable<EventItem> {
  readonly subscriber: string
  readonly query: Query
  /** The number of waiting events. */
  readonly size: () => number
  /** Returns the reason for which the subscription ended; `undefined` while the subscription is active. */
  readonly cancelled: () => CancelReason | undefined
  readonly cancel: (reason?: CancelReason) => void
}

export interface LiveSubscription extends Subscription {
  readonly deliver: (item: EventItem) => void
}

/** `remove` is called once, when the subscription ends for any reason. */
export function createSubscription(request: SubscribeRequest, remove: () => void): LiveSubscription {
  const { subscriber, query, capacity = 1, onItem, onCancel } = request
  let reason: CancelReason | undefined
  let waiting: ((result: IteratorResult<EventItem, undefined>) => void) | undefined
  const buffer: EventItem[] = []

  function cancel(why: CancelReason = 'unsubscribed'): void {
    if (reason !== undefined) return
    reason = why
    remove()
    // As in the reference, waiting events are lost with the subscription.
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
