import { CodedError } from '@org/runtime/errors'
import { bytesToHex } from '@org/types/bytes'
import type { CommittedTx, EventItem, Events, SubscribeOptions } from '../src/index.ts'

export interface MemoryEvents extends Events {
  /** Gives an event to every subscription whose query is `tm.event='…'` with the type of the event. */
  readonly publish: (item: EventItem) => void
  /** Ends every subscription, as a stopping node does. */
  readonly stop: () => void
  readonly commit: (tx: CommittedTx) => void
  /** Stores the events of the next block, then publishes them. */
  readonly publishBlock: (items: readonly EventItem[]) => void
  /** The number of published blocks. */
  readonly published: () => number
  /** Removes the blocks below a height. */
  readonly prune: (base: number) => void
}

/** The id of the chain of the recorded databases. `status` returns it. */
const DUMP_CHAIN = 'golden-kv-1'

const fault = (message: string): CodedError => new CodedError('EVENTS', message)

/** Returns the hash of the block at a height in the first chain of a test. A chain that was reset has other hashes. */
const hashOfFirst = (height: number): Uint8Array => new Uint8Array(32).fill(height)

/**
 * Returns the first 8 hex digits of {@link hashOfFirst}. The text form of an event's place in the chain contains these
 * digits: `3-1:03030303@golden-kv-1` is the place of an event at height 3.
 */
export const hashText = (height: number): string => bytesToHex(hashOfFirst(height)).slice(0, 8)

/** Subscriptions in memory. Queries are compared as text without blanks. */
export function createMemoryEvents(chainId = DUMP_CHAIN, hashOf = hashOfFirst): MemoryEvents {
  const subscriptions = new Map<string, Map<string, SubscribeOptions>>()
  const waiters = new Set<(tx: CommittedTx) => void>()
  const normal = (query: string): string => query.replaceAll(' ', '')
  const blocks: (readonly EventItem[])[] = []
  let base = 1
  const matcher =
    (query: string) =>
    ({ data }: EventItem): boolean =>
      normal(query) === `tm.event='${data.type}'`
  function publish(item: EventItem): void {
    for (const own of [...subscriptions.values()]) {
      for (const [query, { onItem }] of [...own]) if (matcher(query)(item)) onItem(item)
    }
  }
  return {
    numClients: () => subscriptions.size,
    numClientSubscriptions: (subscriber) => subscriptions.get(subscriber)?.size ?? 0,
    subscribe: (options) => {
      if (options.query === '') throw new CodedError('QUERY_SYNTAX', 'offset 0: EOF')
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
        if (signal.aborted) return reject(signal.reason)
        waiters.add(resolve)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
    publish,
    publishBlock: (items) => {
      blocks.push(items)
      const [first] = items
      // `wakeOnBlocks` subscribes to `NewBlock` only to learn that a block was published. It ignores the content of the
      // event, so this code gives it the first event of the block, of any type.
      for (const own of [...subscriptions.values()]) {
        if (first !== undefined) own.get("tm.event='NewBlock'")?.onItem(first)
      }
      for (const item of items) publish(item)
    },
    published: () => blocks.length,
    prune: (to) => {
      base = to
    },
    history: {
      chainId: () => chainId,
      lastHeight: () => blocks.length,
      blockHash: (height) => (height < base || height > blocks.length ? undefined : hashOf(height)),
      firstAfter: (after) => {
        if (after + 1 < base) throw new CodedError('EVENTS_PRUNED', `EVENTS_PRUNED: height ${after + 1} is gone`)
        return after + 1
      },
      read: (height) => {
        if (height < base) throw new CodedError('EVENTS_PRUNED', `EVENTS_PRUNED: height ${height} is gone`)
        return blocks[height - 1] as readonly EventItem[]
      },
      matcher: (query) => {
        if (!query.includes('=')) throw new CodedError('QUERY_SYNTAX', 'offset 0: no condition')
        if (query === "tm.event='Vote'") throw new CodedError('EVENTS_NOT_RESUMABLE', 'EVENTS_NOT_RESUMABLE: Vote')
        return matcher(query)
      },
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
