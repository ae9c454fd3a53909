import type { EventData } from '@org/types/events'
import type { FlatEvents, Query } from './query/index.ts'

/** One event. All subscribers get the same object, so that what is made of it (its JSON) can be made once. */
export interface EventItem {
  /** 1 for the first event of this bus, then one more each. */
  readonly sequence: number
  readonly data: EventData
  readonly events: FlatEvents
}

/** Why a subscription ended. */
export const CANCEL_REASONS = {
  unsubscribed: 'client unsubscribed',
  overflow: 'internal subscription event buffer is out of capacity',
  failed: 'the subscriber failed',
  stopped: 'CometBFT exited',
} as const
export type CancelReason = keyof typeof CANCEL_REASONS

export interface SubscribeRequest {
  /** Who subscribes; a subscriber may have one subscription for each query. */
  readonly subscriber: string
  readonly query: Query
  /** How many events may wait to be taken; one more ends the subscription. Default 1. */
  readonly capacity?: number
  /**
   * Takes each event at once, instead of iteration. Nothing waits then: a consumer that cannot keep up calls
   * `cancel('overflow')`. One that throws loses the subscription; the others do not notice.
   */
  readonly onItem?: (item: EventItem) => void
  readonly onCancel?: (reason: CancelReason) => void
}

/** Iterate it once to take the events; the iteration ends when the subscription does, and ends it when left early. */
export interface Subscription extends AsyncIterable<EventItem> {
  readonly subscriber: string
  readonly query: Query
  /** How many events wait to be taken. */
  readonly size: () => number
  /** `undefined` while it is alive. */
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
    // As in the reference, what waited is lost with the subscription.
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
