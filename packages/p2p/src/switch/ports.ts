import type { Service, Sizes } from '@org/runtime'
import type { NetAddress } from '../address/index.ts'
import type { Peer } from '../reactor/index.ts'

/** The port that gives access to the connected peers. */
export interface ConnectedPeers {
  readonly peers: () => readonly Peer[]
  readonly peer: (id: string) => Peer | undefined
  readonly stopPeer: (peer: Peer, reason: Error | undefined) => void
}

/** The interface for connecting to nodes. */
export interface Connector {
  readonly counts: () => { readonly outbound: number; readonly inbound: number; readonly dialling: number }
  /** Dials the address immediately. Throws `RejectedError` or a dial error. */
  readonly dial: (address: NetAddress) => Promise<void>
  readonly isDiallingOrConnected: (address: NetAddress) => boolean
}

/**
 * The interface for the peers that the operator has named. The switch treats these peers differently from other peers.
 */
export interface OperatorPeers {
  /** Dials the addresses that the operator named, each after a random pause; errors are logged. */
  readonly dialSoon: (addresses: readonly NetAddress[]) => void
  readonly addPersistentPeers: (addresses: readonly NetAddress[]) => void
  readonly isPersistent: (address: NetAddress) => boolean
  /** Adds ids of peers that, from now on, do not count against the limits of inbound and outbound peers. */
  readonly addUnconditionalPeerIds: (ids: readonly string[]) => void
  readonly isUnconditional: (id: string) => boolean
}

/**
 * The owner of all peers. The program that creates the switch gives every other part of the node only the port that the
 * part needs.
 */
export interface Switch extends Service, ConnectedPeers, Connector, OperatorPeers {
  /** Returns the address on which the switch listens; `undefined` before `start`, or if the switch does not listen. */
  readonly listenAddress: () => { readonly host: string; readonly port: number } | undefined
  readonly broadcast: (channel: number, message: Uint8Array) => void
  readonly markGood: (peer: Peer) => void
  readonly sizes: () => Sizes
}
