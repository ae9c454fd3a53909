import { CodedError } from '@org/runtime/errors'
import type { CommittedTx, EventItem, Events, SubscribeOptions } from '../src/index.ts'

export interface MemoryEvents extends Events {
  /** Gives an event to every subscription to `tm.event='…'` of its type. */
  readonly publish: (item: EventItem) => void
  /** Ends every subscription, as a node that stops. */
  readonly stop: () => void
  readonly commit: (tx: CommittedTx) => void
}

const fault = (message: string): CodedError => new CodedError('EVENTS', message)

/** Subscriptions in memory; a query is compared as text, without its blanks. */
export function createMemoryEvents(): MemoryEvents {
  const subscriptions = new Map<string, Map<string, SubscribeOptions>>()
  const waiters = new Set<(tx: CommittedTx) => void>()
  const normal = (query: string): string => query.replaceAll(' ', '')
  return {
    numClients: () => subscriptions.size,
    numClientSubscriptions: (subscriber) => subscriptions.get(subscriber)?.size ?? 0,
    subscribe: (options) => {
      if (options.query === '') throw fault('offset 0: EOF')
      const own = subscriptions.get(options.subscriber) ?? new Map<string, SubscribeOptions>()
      if (own.has(normal(options.query))) throw fault('already subscribed')
      own.set(normal(options.query), options)
      subscriptions.set(options.subscriber, own)
    },
    unsubscribe: (subscriber, query) => {
      const own = subscriptions.get(subscriber)
      const ended = own?.get(normal(query))
      if (own?.delete(normal(query)) !== true) throw fault('subscription not found')
      ended?.onEnded?.()
      if (own.size === 0) subscriptions.delete(subscriber)
    },
    unsubscribeAll: (subscriber) => {
      const own = subscriptions.get(subscriber)
      if (!subscriptions.delete(subscriber)) throw fault('subscription not found')
      for (const { onEnded } of own?.values() ?? []) onEnded?.()
    },
    awaitTx: (_hash, signal) =>
      new Promise((resolve, reject) => {
        waiters.add(resolve)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
    publish: (item) => {
      for (const own of [...subscriptions.values()]) {
        for (const [query, { onItem }] of [...own]) if (query === `tm.event='${item.data.type}'`) onItem(item)
      }
    },
    stop: () => {
      const all = [...subscriptions.values()].flatMap((own) => [...own.values()])
      subscriptions.clear()
      for (const { onCancelled, onEnded } of all) {
        onCancelled('CometBFT exited')
        onEnded?.()
      }
    },
    commit: (tx) => {
      for (const resolve of waiters) resolve(tx)
      waiters.clear()
    },
  }
}
