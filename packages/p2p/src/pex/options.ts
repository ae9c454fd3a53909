import type { NetAddress } from '../address/index.ts'

export interface PexOptions {
  readonly seedMode: boolean
  readonly seeds: readonly NetAddress[]
  readonly maxOutboundPeers: number
  /** The longest wait between two attempts to reach a persistent peer; 0 is no limit. */
  readonly persistentPeersMaxDialPeriodMs: number
  /** Milliseconds between two checks that there are enough peers; the reference has 30 s. */
  readonly ensurePeersPeriodMs: number
  /** Milliseconds for which a seed keeps a peer. */
  readonly seedDisconnectWaitMs: number
}
