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
}
