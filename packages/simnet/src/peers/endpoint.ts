import type { NetAddress, NodeInfo } from '@org/p2p'
import type { PublicKey } from '@org/types/crypto'
import type { Life } from '../world/index.ts'
import type { ChannelMessage, Wire } from './wire.ts'

/** One end of a connection, as the node at this end uses it. */
export interface ConnectionEnd {
  readonly remoteInfo: NodeInfo
  readonly remoteKey: PublicKey
  readonly remote: NetAddress
  readonly send: Wire
  /** True if the other node closes the connection before it sends anything. */
  readonly isRefused: boolean
  /** Ends the connection. The other node notices the end after a delay. */
  readonly close: () => void
  /**
   * From now on, passes each received message to the handler. Calls `closed` of the handler once, when the connection
   * ends.
   */
  readonly handle: (handler: ConnectionHandler) => void
}

export interface ConnectionHandler {
  readonly message: (channelMessage: ChannelMessage) => void | Promise<void>
  readonly closed: () => void
}

/** A node as the hub sees it: its address, its identity, and the function that receives connections. */
export interface Endpoint {
  readonly name: string
  readonly address: NetAddress
  readonly life: Life
  readonly info: () => NodeInfo
  readonly key: PublicKey
  /** Accepts the connection or closes it. */
  readonly accept: (connection: ConnectionEnd) => void
}

/** The faults of a node's connections. They may be changed at any time. */
export interface LinkFaults {
  /** The probability that a segment from or to the node is lost. */
  loss: number
  /** The probability that the node sends a message twice. */
  repeats: number
  /** The maximum number of messages of the node that may wait on each channel of a connection. */
  room: number
  /** The node closes each incoming connection before it sends anything. */
  closesIncoming: boolean
}

/**
 * A function that receives each message that a node sends to the node `to`. The messages that it returns are sent
 * instead.
 */
export type Interceptor = (to: string, channelMessage: ChannelMessage) => readonly ChannelMessage[]
