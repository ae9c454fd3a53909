/** The channel of transactions. */
export const MEMPOOL_CHANNEL = 0x30

export interface MempoolGossipOptions {
  /** Tell peers of transactions. */
  readonly broadcast: boolean
  /** The longest transaction, in bytes. */
  readonly maxTxBytes: number
  /** All transactions of one message; the larger of both counts. */
  readonly maxBatchBytes: number
  /** To how many peers transactions are told at once; 0 is no limit. Unconditional peers do not count. */
  readonly maxPersistentPeers: number
  readonly maxNonPersistentPeers: number
  /** Checks of one peer's transactions that may wait for the application before the peer is read no further. */
  readonly maxPendingPerPeer: number
}

/**
 * The most transactions of all peers that are checked in a millisecond (`turns.ts` limits their time, too). A known transaction takes
 * about a microsecond, a refused or new one several. More than any chain commits.
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

/** Messages to one peer that may wait to be sent; the reference has 1, and one goroutine a peer that waits. */
export const SEND_QUEUE_CAPACITY = 2

/**
 * While so many transactions wait, whoever dialled a connection keeps for so long what it has from others: over each connection of a
 * mesh, both sides would tell each other the same ones at the same time. The other side tells at once. Less than one look of the reference's
 * consensus gossip, and nothing while the network is quiet.
 */
export const HOLD_MS = 50
export const HOLD_FROM = 100

/**
 * The longest message that tells of several transactions. The reference takes any number of them, as long as the message is no
 * longer than one with the longest transaction that the receiver allows; it sends one.
 */
export const BATCH_BYTES: number = 16 * 1024
