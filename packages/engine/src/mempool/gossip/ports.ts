import type { Mempool } from '../mempool.ts'

export type GossipMempool = Pick<Mempool, 'offerTx' | 'entries' | 'onEntry' | 'size'>

/** How far peers are, as consensus hears from them. */
export interface PeerHeights {
  /** 0 before the peer has told. */
  readonly heightOf: (peerId: string) => number
  /** Calls `listener` when a peer's height changed. Returns how to stop it. */
  readonly onHeight: (listener: (peerId: string) => void) => () => void
}
