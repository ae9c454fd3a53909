import { CodedError } from '../errors/index.ts'

export const QUEUE_ERRORS = { full: 'QUEUE_FULL', closed: 'QUEUE_CLOSED' } as const

export class QueueError extends CodedError<(typeof QUEUE_ERRORS)[keyof typeof QUEUE_ERRORS]> {}

/** A queue of at most `capacity` items. The owner decides what a refused item means; nothing is dropped here. */
export interface BoundedQueue<T> {
  /** False if the queue is full or closed. */
  readonly offer: (item: T) => boolean
  /** Resolves when there is room. Rejects with `QUEUE_CLOSED` after `close`. */
  readonly put: (item: T) => Promise<void>
  /** The next item; `undefined` once the queue is closed and empty. */
  readonly take: () => Promise<T | undefined>
  readonly size: () => number
  /** Items that are in it can still be taken. */
  readonly close: () => void
}

interface Waiting<T> {
  readonly item: T
  readonly resolve: () => void
  readonly reject: (error: QueueError) => void
}

export function createBoundedQueue<T>(capacity: number): BoundedQueue<T> {
  const items: T[] = []
  const takers: ((item: T | undefined) => void)[] = []
  const putters: Waiting<T>[] = []
  let closed = false

  const offer = (item: T): boolean => {
    if (closed) return false
    const taker = takers.shift()
    if (taker !== undefined) {
      taker(item)
      return true
    }
    if (items.length >= capacity) return false
    items.push(item)
    return true
  }

  return {
    offer,
    put: (item) => {
      if (offer(item)) return Promise.resolve()
      if (closed) return Promise.reject(new QueueError(QUEUE_ERRORS.closed, 'the queue is closed'))
      return new Promise((resolve, reject) => putters.push({ item, resolve, reject }))
    },
    take: () => {
      const item = items.shift()
      if (item === undefined) {
        return closed ? Promise.resolve(undefined) : new Promise((resolve) => takers.push(resolve))
      }
      const waiting = putters.shift()
      if (waiting !== undefined) {
        items.push(waiting.item)
        waiting.resolve()
      }
      return Promise.resolve(item)
    },
    size: () => items.length,
    close: () => {
      closed = true
      for (const taker of takers.splice(0)) taker(undefined)
      for (const waiting of putters.splice(0))
        waiting.reject(new QueueError(QUEUE_ERRORS.closed, 'the queue is closed'))
    },
  }
}
