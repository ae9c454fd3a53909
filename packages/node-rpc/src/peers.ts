import {
  type AddressBook,
  type ConnectedPeers,
  type NetAddress,
  type OperatorPeers,
  type NodeInfo as OwnNodeInfo,
  type Peer,
  parseNetAddress,
} from '@org/p2p'
import type { NodeInfo, PeerInfo, Peers } from '@org/rpc'
import { connectionStatusToJson } from './connection-status.ts'
import { checkPeerAddress, checkPeerIds } from './peer-address.ts'

/** The P2P layer of a node, as the RPC uses it. */
export interface RpcP2p {
  readonly peers: Pick<ConnectedPeers, 'peers'> & Omit<OperatorPeers, 'isPersistent' | 'isUnconditional'>
  readonly book: Pick<AddressBook, 'addPrivateIds'>
  readonly nodeInfo: () => OwnNodeInfo
}

export interface PeersPortModules {
  readonly p2p: RpcP2p
  readonly externalAddress: string
  readonly now: () => bigint
}

function toNodeInfo({ defaultNodeId, ...info }: OwnNodeInfo): NodeInfo {
  return { ...info, id: defaultNodeId }
}

function toPeerInfo(peer: Peer, now: bigint): PeerInfo {
  return {
    nodeInfo: toNodeInfo(peer.nodeInfo),
    isOutbound: peer.outbound,
    connectionStatus: connectionStatusToJson(peer.status(), now),
    remoteIp: peer.socketAddress.ip,
  }
}

/** Checks all addresses before it looks up the first host name. */
async function parseAll(addresses: readonly string[]): Promise<readonly NetAddress[]> {
  for (const address of addresses) checkPeerAddress(address)
  return Promise.all(addresses.map(parseNetAddress))
}

export function createPeersPort({ p2p, externalAddress, now }: PeersPortModules): Peers {
  const { peers, book, nodeInfo } = p2p
  return {
    nodeInfo: () => toNodeInfo(nodeInfo()),
    isListening: () => true,
    listeners: () => [`Listener(@${externalAddress})`],
    peers: () => peers.peers().map((peer) => toPeerInfo(peer, now())),
    dialPeers: async (addresses) => peers.dialSoon(await parseAll(addresses)),
    addPersistentPeers: async (addresses) => peers.addPersistentPeers(await parseAll(addresses)),
    addUnconditionalPeerIds: async (ids) => {
      checkPeerIds(ids)
      peers.addUnconditionalPeerIds(ids)
    },
    addPrivatePeerIds: async (ids) => {
      checkPeerIds(ids)
      book.addPrivateIds(ids)
    },
  }
}
