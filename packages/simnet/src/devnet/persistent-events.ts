import type { Events, SubscribeOptions } from '@org/rpc'

/**
 * A subscription of a client. The subscription is made again on each new event bus, and the counter `turn` then rises
 * by one. A callback belongs to the present event bus if the counter has not risen since the callback was created.
 * Callbacks of earlier event buses are ignored.
 */
interface Held {
  readonly options: SubscribeOptions
  turn: number
}

export interface PersistentEvents {
  readonly events: Events
  /** Makes all subscriptions again on the present event bus. To be called after each start of the engine. */
  readonly move: () => void
}

/**
 * Creates subscriptions that outlive the engine. A devnet starts its engine again at each revert, reset and load, with
 * a new event bus. The connections of the clients stay open. So the function `move` makes all subscriptions again on
 * the new event bus. Without `move`, the clients would receive no further event. The parameter `current` is the event
 * bus of the engine that runs now. The subscriptions need no limit of their own, because the RPC limits their number.
 */
export function createPersistentEvents(current: Events): PersistentEvents {
  const all = new Set<Held>()

  function attach(held: Held): void {
    const { options } = held
    const turn = ++held.turn
    const isOfThisBus = (): boolean => held.turn === turn
    current.subscribe({
      ...options,
      onItem: (item) => {
        if (isOfThisBus()) options.onItem(item)
      },
      onCancelled: (reason) => {
        if (isOfThisBus()) options.onCancelled(reason)
      },
      onEnded: () => {
        if (!isOfThisBus()) return
        all.delete(held)
        options.onEnded?.()
      },
    })
    all.add(held)
  }

  return {
    events: {
      numClients: () => current.numClients(),
      numClientSubscriptions: (subscriber) => current.numClientSubscriptions(subscriber),
      subscribe: (options) => attach({ options, turn: 0 }),
      unsubscribe: (subscriber, query) => current.unsubscribe(subscriber, query),
      unsubscribeAll: (subscriber) => current.unsubscribeAll(subscriber),
      awaitTx: (hash, signal) => current.awaitTx(hash, signal),
      get history() {
        return current.history as NonNullable<Events['history']>
      },
    },
    move: () => {
      for (const held of [...all]) attach(held)
    },
  }
}
