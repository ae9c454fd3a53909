import type { PexOptions, SwitchOptions } from '@org/p2p'
import type { BlockSyncOptions } from '../blocksync/index.ts'
import type { ConsensusGossipOptions } from '../consensus/gossip/index.ts'
import type { MempoolGossipOptions } from '../mempool/gossip/index.ts'

/** The settings of the switch and of each protocol. */
export interface P2pOptions {
  readonly switch: SwitchOptions
  /** The options of PEX. `undefined`: the node does not exchange addresses. */
  readonly pex: PexOptions | undefined
  /** The options of the mempool's gossip. `undefined`: this node keeps no transactions. */
  readonly mempool: MempoolGossipOptions | undefined
  readonly consensus: ConsensusGossipOptions
  readonly blockSync: BlockSyncOptions
  /** True if the application is asked whether a peer may connect. */
  readonly filterPeers: boolean
  readonly advertisedNode: AdvertisedNode
}

/** The data about this node that it sends to peers. */
export interface AdvertisedNode {
  /**
   * The address at which others reach this node, such as `tcp://1.2.3.4:26656`; port 0 is replaced by the real port.
   */
  readonly listenAddr: string
  readonly moniker: string
  readonly version: string
  readonly txIndex: 'on' | 'off'
  readonly rpcAddress: string
}
