import type { TxExchange, TxView } from '../mempool.ts'

export type GossipMempool = TxExchange & Pick<TxView, 'size'>

/** The heights of peers, from the consensus messages of these peers. */
export interface PeerHeights {
  /** Returns the height of the peer; 0 if the peer has not sent its height yet. */
  readonly heightOf: (peerId: string) => number
  /** Calls `listener` each time a peer's height changes, until the signal aborts. */
  readonly onHeight: (listener: (peerId: string) => void, signal?: AbortSignal) => void
}
