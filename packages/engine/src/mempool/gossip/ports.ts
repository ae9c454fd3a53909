import type { TxExchange, TxView } from '../mempool.ts'

export type GossipMempool = TxExchange & Pick<TxView, 'size'>

/** The heights of peers, as consensus receives them. */
export interface PeerHeights {
  /** Returns the height of the peer; 0 before the peer has sent its height. */
  readonly heightOf: (peerId: string) => number
  /** Calls `listener` when a peer's height changed. Returns a function that removes the listener. */
  readonly onHeight: (listener: (peerId: string) => void, signal?: AbortSignal) => void
}
