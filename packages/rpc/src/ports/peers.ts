import type { Json } from '@org/types/schema'

/** The data that a node reports about itself to its peers, as `status` and `net_info` show them. */
export interface NodeInfo {
  readonly protocolVersion: { readonly p2p: bigint; readonly block: bigint; readonly app: bigint }
  /** The id of the node: hex digits in lower case. */
  readonly id: string
  readonly listenAddr: string
  readonly network: string
  readonly version: string
  readonly channels: Uint8Array
  readonly moniker: string
  readonly other: { readonly txIndex: string; readonly rpcAddress: string }
}

/** A connected peer: one entry of `peers` in `net_info`. */
export interface PeerInfo {
  readonly nodeInfo: NodeInfo
  readonly isOutbound: boolean
  /**
   * The JSON of the connection's state as `net_info` of the reference has it (`Duration`, `SendMonitor`, `RecvMonitor`,
   * `Channels`).
   */
  readonly connectionStatus: Json
  readonly remoteIp: string
}

/**
 * The peers of the node, and functions to connect to more peers. Errors are CodedErrors whose message the client
 * receives.
 */
export interface Peers {
  readonly nodeInfo: () => NodeInfo
  readonly isListening: () => boolean
  readonly listeners: () => readonly string[]
  readonly peers: () => readonly PeerInfo[]
  /** Begins to dial `id@host:port` addresses, without waiting for connections. Throws if an address is invalid. */
  readonly dialPeers: (addresses: readonly string[]) => Promise<void>
  readonly addPersistentPeers: (addresses: readonly string[]) => Promise<void>
  readonly addUnconditionalPeerIds: (ids: readonly string[]) => Promise<void>
  readonly addPrivatePeerIds: (ids: readonly string[]) => Promise<void>
}
