import { type NodeInfo, nodeIdOf } from '@org/p2p'
import { P2P_PROTOCOL, type State } from '@org/types'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo } from '@org/types/p2p'
import type { AdvertisedNode } from './options.ts'

/**
 * The channels of block sync, consensus, mempool, evidence and state sync. They are in the reference's order, because
 * peers can see the order.
 */
const CHANNELS = [0x40, 0x20, 0x21, 0x22, 0x23, 0x30, 0x38, 0x60, 0x61] as const
/** The id of the channel of peer exchange. */
export const PEX_CHANNEL = 0x00

export interface NodeInfoFacts {
  readonly advertisedNode: AdvertisedNode
  readonly nodeKey: PrivateKey
  readonly pex: boolean
  readonly state: State
  /** The listening port, if the node listens. */
  readonly port: number | undefined
}

export function makeNodeInfo({ advertisedNode, nodeKey, pex, state, port }: NodeInfoFacts): NodeInfo {
  const { listenAddr, moniker, version, txIndex, rpcAddress } = advertisedNode
  const { block, app } = state.version.consensus
  return DefaultNodeInfo.create({
    protocolVersion: { p2p: P2P_PROTOCOL, block, app },
    defaultNodeId: nodeIdOf(publicKeyOf(nodeKey)),
    listenAddr: port === undefined ? listenAddr : listenAddr.replace(/:0$/, `:${port}`),
    network: state.chainId,
    version,
    channels: Uint8Array.from(pex ? [...CHANNELS, PEX_CHANNEL] : CHANNELS),
    moniker,
    other: { txIndex, rpcAddress },
  })
}
