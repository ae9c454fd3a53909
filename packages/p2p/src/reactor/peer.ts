import type { NetAddress } from '../address/index.ts'
import type { MconnStatus } from '../mconn/index.ts'
import type { NodeInfo } from '../nodeinfo/index.ts'

/** A connected, authenticated, compatible node. */
export interface Peer {
  readonly id: string
  readonly nodeInfo: NodeInfo
  /** True if this node dialled the peer. */
  readonly outbound: boolean
  /** True if this node dials the peer again after the connection has ended with an error. */
  readonly persistent: boolean
  /** The address of the other end of the connection. */
  readonly socketAddress: NetAddress
  /**
   * The address that the peer reported as its own; `undefined` if it reported a host name that cannot be resolved.
   */
  readonly reportedAddress: NetAddress | undefined
  /** Waits for room in the send queue. Resolves with true if the message was queued. */
  readonly send: (channel: number, message: Uint8Array) => Promise<boolean>
  readonly trySend: (channel: number, message: Uint8Array) => boolean
  readonly canSend: (channel: number) => boolean
  readonly hasChannel: (channel: number) => boolean
  /**
   * Returns the memory that the peer makes the node hold, in bytes: its unfinished messages, and the messages in the
   * send queues to it.
   */
  readonly heldBytes: () => number
  readonly status: () => MconnStatus & { readonly durationNs: bigint }
}
