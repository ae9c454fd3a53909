import type { PexOptions, SwitchOptions } from '@org/p2p'
import type { BlockSyncOptions } from '../blocksync/index.ts'
import type { ConsensusGossipOptions } from '../consensus/gossip/index.ts'
import type { MempoolGossipOptions } from '../mempool/gossip/index.ts'

export interface NetworkOptions {
  readonly switch: SwitchOptions
  /** `undefined`: addresses are not exchanged. */
  readonly pex: PexOptions | undefined
  /** `undefined`: this node keeps no transactions. */
  readonly mempool: MempoolGossipOptions | undefined
  readonly consensus: ConsensusGossipOptions
  readonly blockSync: BlockSyncOptions
  /** The application is asked about every peer. */
  readonly filterPeers: boolean
  readonly introduction: Introduction
}

/** What this node says of itself. */
export interface Introduction {
  /** Where others reach it, such as `tcp://1.2.3.4:26656`; port 0 becomes the port that was chosen. */
  readonly listenAddr: string
  readonly moniker: string
  readonly version: string
  readonly txIndex: 'on' | 'off'
  readonly rpcAddress: string
}
