import type { TxWaiters } from '@org/engine'
import { CANCEL_REASONS, createResumableMatchers, type EventBus, type EventHistory } from '@org/engine/events'
import { parseQuery } from '@org/engine/query'
import type { Indexer } from '@org/engine/storage'
import type { Events } from '@org/rpc'
import { unlessAborted } from '@org/runtime'

export interface EventsModules {
  readonly bus: EventBus
  readonly txWaiters: TxWaiters
  readonly history: EventHistory
  readonly chainId: string
  readonly index: Pick<Indexer, 'written'>
}

/**
 * Creates the port for events. Each event is passed at once to the connection of its subscriber. The RPC ends a
 * subscription if the send buffer of the connection is full.
 */
export function createEventsPort({ bus, txWaiters, history, index, chainId }: EventsModules): Events {
  const resumableMatcher = createResumableMatchers()
  return {
    numClients: bus.numClients,
    numClientSubscriptions: bus.numClientSubscriptions,
    subscribe: ({ subscriber, query, capacity, onItem, onCancelled, onEnded }) => {
      bus.subscribe({
        subscriber,
        query: parseQuery(query),
        capacity,
        onItem,
        onCancel: (reason) => {
          onEnded?.()
          if (reason !== 'unsubscribed') onCancelled(CANCEL_REASONS[reason])
        },
      })
    },
    unsubscribe: (subscriber, query) => bus.unsubscribe(subscriber, parseQuery(query)),
    unsubscribeAll: bus.unsubscribeAll,
    awaitTx: async (hash, signal) => {
      const { height, result } = await txWaiters.wait(hash, signal)
      // The client gets the result of its transaction only after the transaction is durable in the index. So the client
      // can then find the transaction there, even after a crash of the node. If the disk does not respond, `signal`
      // ends the wait for the index at the deadline of the client's call.
      await unlessAborted(index.written(), signal)
      return { height, result }
    },
    history: { ...history, chainId: () => chainId, matcher: (query) => resumableMatcher(parseQuery(query)) },
  }
}
