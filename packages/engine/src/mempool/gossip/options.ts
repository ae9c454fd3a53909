/** The channel of transactions. */
export const MEMPOOL_CHANNEL = 0x30

export interface MempoolGossipOptions {
  /** Whether transactions are sent to peers. */
  readonly broadcast: boolean
  /** The longest transaction, in bytes. */
  readonly maxTxBytes: number
  /**
   * The maximum number of bytes of all transactions in one message. The limit is this or `maxTxBytes`, the larger of
   * the two.
   */
  readonly maxBatchBytes: number
  /**
   * The maximum number of peers to which transactions are sent at once; 0 is no limit. Unconditional peers do not
   * count.
   */
  readonly maxPersistentPeers: number
  readonly maxNonPersistentPeers: number
  /**
   * The maximum number of checks of one peer's transactions that wait for the application; above this the peer is not
   * read.
   */
  readonly maxPendingPerPeer: number
}

/**
 * The maximum number of transactions that are checked per millisecond, of all peers together; `turns.ts` also limits
 * the time for them. The check of a known transaction takes about a microsecond, of any other one several microseconds.
 * No chain commits this many transactions.
 */
export const TXS_PER_MS = 128

export const DEFAULT_MEMPOOL_GOSSIP_OPTIONS: MempoolGossipOptions = {
  broadcast: true,
  maxTxBytes: 1024 * 1024,
  maxBatchBytes: 0,
  maxPersistentPeers: 0,
  maxNonPersistentPeers: 0,
  maxPendingPerPeer: 256,
}

/**
 * The maximum number of messages to one peer that wait to be sent. The reference has 1, and besides it one goroutine
 * per peer that waits for room.
 */
export const SEND_QUEUE_CAPACITY = 2

/**
 * While the mempool is busy, the node that dialled a connection holds back transactions from other peers for this
 * time. The other side sends at once. Otherwise both sides of each connection in a mesh would send each other the
 * same transactions at the same time. It is less than one interval of the reference's consensus gossip, and nothing
 * is held back while the network is quiet.
 */
export const HOLD_MS = 50
export const HOLD_FROM = 100

/**
 * The longest message with several transactions. The reference receives any number of transactions in a message that
 * is not longer than a message with one transaction of the maximum size; it sends one per message.
 */
export const BATCH_BYTES: number = 16 * 1024
