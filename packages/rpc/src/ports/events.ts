import type { EventData } from '@org/types'
import type { ExecTxResult } from '@org/types/abci'

/**
 * A published event. All subscriptions that match the event receive the same object. So the JSON of an event is made
 * once, and cached with this object as the key.
 */
export interface EventItem {
  readonly data: EventData
  /**
   * The attributes of the event. A key such as `transfer.to` consists of the type of an ABCI event and the name of its
   * attribute. The value has all values of this attribute, in order. The node adds the keys `tm.event`, `tx.hash` and
   * `tx.height`.
   */
  readonly events: Readonly<Record<string, readonly string[]>>
}

/**
 * A subscription of an RPC connection: its query, its limit, and the functions to which the bus passes events and the
 * end of the subscription.
 */
export interface SubscribeOptions {
  /** The address of the connection that subscribes. */
  readonly subscriber: string
  readonly query: string
  /**
   * The maximum number of items that may wait for the subscriber. With one more item, the bus ends the subscription,
   * because the subscriber is too slow.
   */
  readonly capacity: number
  readonly onItem: (item: EventItem) => void
  /**
   * Called when the bus ends the subscription. `reason` is the text for the client (`client is not pulling messages
   * fast enough`, `CometBFT exited`). Not called after `unsubscribe`.
   */
  readonly onCancelled: (reason: string) => void
  /** Called when the bus or a call of `unsubscribe` has ended the subscription. */
  readonly onEnded?: () => void
}

/**
 * Reads the events of committed blocks from the stores. The methods throw CodedErrors. The client receives the message
 * of the error, which begins with one of these codes:
 *
 * `EVENTS_PRUNED`: the height is not stored any more. `EVENTS_DISCARDED`: the results of the block were not kept.
 * `EVENTS_NOT_RESUMABLE`: the query can also match events of consensus rounds, which are not stored.
 */
export interface EventHistory {
  readonly chainId: () => string
  /**
   * Returns the height of the last block whose events were published. The events of all later blocks are still to be
   * published.
   */
  readonly lastHeight: () => number
  /** Returns the hash of a block whose height is at most `lastHeight`; `undefined` if the block is not stored. */
  readonly blockHash: (height: number) => Uint8Array | undefined
  /**
   * Returns the height of the next block after the height `after`: this is `after + 1`, but at least the initial height
   * of the chain. The next block may not exist yet.
   */
  readonly firstAfter: (after: number) => number
  /**
   * Returns the events of the block at `height`, in the order of their publication. `height` is at most `lastHeight`.
   */
  readonly read: (height: number) => readonly EventItem[]
  /** Parses the query. Returns a function that checks whether an event of a block matches it. */
  readonly matcher: (query: string) => (item: EventItem) => boolean
}

/** A transaction that is in a block and in the index. */
export interface CommittedTx {
  readonly height: number
  readonly result: ExecTxResult
}

/**
 * Subscriptions to new events. The methods throw CodedErrors, and the client receives the message of the error. If a
 * query does not parse, the code is `QUERY_SYNTAX` and the message is `offset N: …`. Other messages are `already
 * subscribed` and `subscription not found`.
 */
export interface Events {
  /** The number of subscribers. */
  readonly numClients: () => number
  readonly numClientSubscriptions: (subscriber: string) => number
  readonly subscribe: (options: SubscribeOptions) => void
  /** Ends the subscription of `subscriber` whose query equals `query`. The queries are compared after parsing. */
  readonly unsubscribe: (subscriber: string, query: string) => void
  readonly unsubscribeAll: (subscriber: string) => void
  /**
   * Resolves when the transaction with this hash is in a block and in the index. A transaction that was committed
   * before the call is not noticed, so the caller must call this function before it sends the transaction. Rejects with
   * the signal's reason when the signal aborts, and with a CodedError (`CometBFT exited`) when the node stops.
   */
  readonly awaitTx: (hash: Uint8Array, signal: AbortSignal) => Promise<CommittedTx>
  /**
   * The stored events of committed blocks. A resumed subscription first gets events from this history. If the history
   * is missing, no subscription can be resumed.
   */
  readonly history?: EventHistory
}
