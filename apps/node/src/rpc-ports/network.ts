import type { Network, NodeInfo } from '@org/rpc'
import type { Logger } from '@org/runtime'
import type { Config } from '../config/index.ts'
import { VERSIONS } from '../version.ts'
import { checkPeerAddress, checkPeerIds } from './peer-address.ts'

/** Block sync, consensus (4), mempool, evidence, state sync (2); in the reference's order. */
const CHANNELS = [0x40, 0x20, 0x21, 0x22, 0x23, 0x30, 0x38, 0x60, 0x61] as const
const PEX_CHANNEL = 0x00

export interface NodeIdentity {
  readonly nodeId: string
  readonly chainId: string
  /** From the state at start. */
  readonly appVersion: bigint
  readonly indexing: boolean
}

/** What this node says of itself. */
export function makeNodeInfo(
  { base, p2p, rpc }: Config,
  { nodeId, chainId, appVersion, indexing }: NodeIdentity,
): NodeInfo {
  return {
    protocolVersion: { p2p: BigInt(VERSIONS.p2p), block: BigInt(VERSIONS.block), app: appVersion },
    id: nodeId,
    listenAddr: p2p.externalAddress === '' ? p2p.laddr : p2p.externalAddress,
    network: chainId,
    version: VERSIONS.software,
    channels: Uint8Array.from(p2p.pex ? [...CHANNELS, PEX_CHANNEL] : CHANNELS),
    moniker: base.moniker,
    other: { txIndex: indexing ? 'on' : 'off', rpcAddress: rpc.laddr },
  }
}

/** The network of a node that has none: addresses are checked as ever, and dialing leads to nobody. */
export function createLonelyNetwork(
  nodeInfo: NodeInfo,
  { externalAddress, logger }: { readonly externalAddress: string; readonly logger: Logger },
): Network {
  const check = (addresses: readonly string[]): Promise<void> => {
    for (const address of addresses) checkPeerAddress(address)
    return Promise.resolve()
  }
  return {
    nodeInfo: () => nodeInfo,
    isListening: () => true,
    listeners: () => [`Listener(@${externalAddress})`],
    peers: () => [],
    dialPeers: async (addresses) => {
      await check(addresses)
      logger.warn('Peers are not dialed: this version has no peer-to-peer network', { addresses })
    },
    addPersistentPeers: check,
    addUnconditionalPeerIds: async (ids) => checkPeerIds(ids),
    addPrivatePeerIds: async (ids) => checkPeerIds(ids),
  }
}
