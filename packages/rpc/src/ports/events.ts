import type { ExecTxResult } from '@org/types/abci'
import type { EventData } from '@org/types/events'

/**
 * One published event. The object is the same for every subscription that it matches: its JSON is made once and kept by
 * identity.
 */
export interface EventItem {
  readonly data: EventData
  /** Keys `type.attribute`, each with its values in order, and the node's own (`tm.event`, `tx.hash`, `tx.height`). */
  readonly events: Readonly<Record<string, readonly string[]>>
}

export interface SubscribeOptions {
  /** Who subscribes: the address of the connection. */
  readonly subscriber: string
  readonly query: string
  /** Items that may wait before the subscription is cancelled as too slow. */
  readonly capacity: number
  readonly onItem: (item: EventItem) => void
  /**
   * The bus ended the subscription: `reason` as shown to the client (`client is not pulling messages fast enough`,
   * `CometBFT exited`). Not called for `unsubscribe`.
   */
  readonly onCancelled: (reason: string) => void
  /** The subscription is over, for whatever reason. */
  readonly onEnded?: () => void
}

/**
 * Events of committed blocks, from the stores. Errors are CodedErrors with the message to show, which begins with the code:
 * `EVENTS_PRUNED` for heights that are not stored any more, `EVENTS_DISCARDED` for blocks whose results were not kept,
 * `EVENTS_NOT_RESUMABLE` for queries that events of the rounds could fit.
 */
export interface EventHistory {
  readonly chainId: () => string
  /** The last block whose events were published; those of every later one are still to come to subscribers. */
  readonly lastHeight: () => number
  /** The first height after `after` that the chain has; it may be to come. */
  readonly firstAfter: (after: number) => number
  /** The events of a block up to `lastHeight`, in the order of their publication. */
  readonly read: (height: number) => readonly EventItem[]
  /** Whether an event of a block fits a query. */
  readonly matcher: (query: string) => (item: EventItem) => boolean
}

/** A transaction that is in a block and in the index. */
export interface CommittedTx {
  readonly height: number
  readonly result: ExecTxResult
}

/**
 * Subscriptions to what happens. Errors are CodedErrors with the message to show: `offset N: …` for a query that does not
 * parse (code `QUERY_SYNTAX`), `already subscribed`, `subscription not found`.
 */
export interface Events {
  /** How many subscribers there are. */
  readonly numClients: () => number
  readonly numClientSubscriptions: (subscriber: string) => number
  readonly subscribe: (options: SubscribeOptions) => void
  /** Ends the subscription whose query is the same after parsing. */
  readonly unsubscribe: (subscriber: string, query: string) => void
  readonly unsubscribeAll: (subscriber: string) => void
  /**
   * Resolves when the transaction with this hash is in a block and indexed. Listens from the moment of the call, so it is
   * called before the transaction is sent. Rejects with the signal's reason when that aborts; rejects with a CodedError
   * (`CometBFT exited`) when the node stops.
   */
  readonly awaitTx: (hash: Uint8Array, signal: AbortSignal) => Promise<CommittedTx>
  /** Left out: nothing can be resumed. */
  readonly history?: EventHistory
}
