/** The channel of transactions. */
export const MEMPOOL_CHANNEL = 0x30

/** The limits of the gossip of transactions. */
export interface MempoolGossipOptions {
  /** True if this node sends transactions to its peers. */
  readonly broadcast: boolean
  /** The maximum number of bytes of one transaction. */
  readonly maxTxBytes: number
  /**
   * The maximum number of bytes of all transactions in one message. If `maxTxBytes` is larger, `maxTxBytes` is the
   * limit instead.
   */
  readonly maxBatchBytes: number
  /**
   * The node sends transactions to at most `maxPersistentPeers` persistent peers and at most `maxNonPersistentPeers`
   * other peers at the same time; 0 means no limit. These limits do not apply to the operator's unconditional peers.
   */
  readonly maxPersistentPeers: number
  readonly maxNonPersistentPeers: number
  /**
   * The maximum number of one peer's transactions for which the application has not answered CheckTx. While the maximum
   * is reached, the node reads no messages from this peer.
   */
  readonly maxPendingPerPeer: number
}

/**
 * The maximum number of transactions from all peers together that the node checks per millisecond. `turns.ts` also
 * limits the time for these checks. The check of a transaction that was seen before takes about a microsecond, and the
 * check of any other transaction several microseconds. No chain commits as many transactions as this limit allows.
 */
export const TXS_PER_MS = 128

/** The default options of the gossip of transactions. */
export const DEFAULT_MEMPOOL_GOSSIP_OPTIONS: MempoolGossipOptions = {
  broadcast: true,
  maxTxBytes: 1024 * 1024,
  maxBatchBytes: 0,
  maxPersistentPeers: 0,
  maxNonPersistentPeers: 0,
  maxPendingPerPeer: 256,
}

/**
 * The maximum number of messages to one peer that wait to be sent. It is 2, as in the reference: there, one message
 * waits in the channel's queue, and one in the peer's goroutine, which waits for room in the queue.
 */
export const SEND_QUEUE_CAPACITY = 2

/**
 * A delay in milliseconds, which applies while the mempool has at least `RELAY_DELAY_MIN_TXS` transactions. On each
 * connection, the node that dialled waits for this time before it sends a transaction that came from another peer. The
 * node that accepted the connection does not wait. If neither node waited, both nodes would send each other the same
 * transactions at the same time.
 */
export const RELAY_DELAY_MS = 50
export const RELAY_DELAY_MIN_TXS = 100

/**
 * The maximum number of bytes of a message with several transactions. The reference sends only one transaction in a
 * message. It accepts a message with several transactions if that message is not longer than the longest message with
 * one transaction.
 */
export const BATCH_BYTES: number = 16 * 1024
