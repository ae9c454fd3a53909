import type { ChainEvents } from '@org/engine'
import type { EventItem, Subscription } from '@org/engine/events'
import { parseQuery, type Query } from '@org/engine/query'
import { checkText, wrongValue } from './arguments.ts'

interface Listening {
  readonly query: Query
  readonly subscriber: string
  readonly listener: (event: EventItem) => void
  subscription?: Subscription
}

/**
 * The subscriptions of a test. They continue when the validators start again, although each start makes a new event
 * bus.
 */
export interface ChainListeners {
  /** Calls `listener` with each event that matches `query`, until the signal aborts. */
  readonly subscribe: (query: string, listener: (event: EventItem) => void, signal?: AbortSignal) => void
  /** Adds all listeners to the event bus of the present engine. To be called after each start. */
  readonly attach: () => void
}

export function createChainListeners(engine: () => ChainEvents): ChainListeners {
  const listeners = new Set<Listening>()
  let last = 0

  function attach(listening: Listening): void {
    const { query, subscriber, listener } = listening
    listening.subscription = engine().events.subscribe({ subscriber, query, onItem: listener })
  }

  return {
    subscribe: (text, listener, signal) => {
      checkText('subscribe: query', text, `"tm.event='Tx'"`)
      if (typeof listener !== 'function') throw wrongValue('subscribe: listener', 'a function', listener)
      if (signal !== undefined && !(signal instanceof AbortSignal))
        throw wrongValue('subscribe: signal', 'an AbortSignal', signal)
      if (signal?.aborted === true) return
      const listening: Listening = { query: parseQuery(text), listener, subscriber: `test-${++last}` }
      attach(listening)
      listeners.add(listening)
      const end = (): void => {
        listeners.delete(listening)
        listening.subscription?.cancel()
      }
      signal?.addEventListener('abort', end, { once: true })
    },
    attach: () => {
      for (const listening of listeners) attach(listening)
    },
  }
}
