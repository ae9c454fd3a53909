import type { NetAddress } from '../address/index.ts'

/** The settings of the exchange of addresses: seeds, the wanted number of peers, and intervals. */
export interface PexOptions {
  readonly seedMode: boolean
  readonly seeds: readonly NetAddress[]
  readonly maxOutboundPeers: number
  /** The longest wait between two attempts to reach a persistent peer, in milliseconds; 0 means no limit. */
  readonly persistentPeersMaxDialPeriodMs: number
  /** The milliseconds between two checks that the node has enough peers. The reference has 30 s. */
  readonly ensurePeersPeriodMs: number
  /** The milliseconds for which a seed stays connected to a peer before it disconnects the peer. */
  readonly seedDisconnectWaitMs: number
}
