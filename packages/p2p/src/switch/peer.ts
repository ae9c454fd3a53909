import type { NetAddress } from '../address/index.ts'
import type { MconnStatus, Multiplexer } from '../mconn/index.ts'
import type { NodeInfo } from '../nodeinfo/index.ts'

/** A connected, authenticated, compatible node. */
export interface Peer {
  readonly id: string
  readonly nodeInfo: NodeInfo
  /** True if this node dialled the peer. */
  readonly outbound: boolean
  /** True if the node dials the peer again after the connection has ended with an error. */
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

export interface PeerFacts {
  readonly nodeInfo: NodeInfo
  readonly outbound: boolean
  readonly persistent: boolean
  readonly socketAddress: NetAddress
  readonly reportedAddress: NetAddress | undefined
  readonly connectedAt: bigint
}

export interface PeerModules {
  readonly multiplexer: Multiplexer
  readonly now: () => bigint
  /** Called with each message that was queued for the peer. */
  readonly onSent: (peerId: string, channel: number, message: Uint8Array) => void
}

export function createPeer(facts: PeerFacts, { multiplexer, now, onSent }: PeerModules): Peer {
  const { nodeInfo, outbound, persistent, socketAddress, reportedAddress, connectedAt } = facts
  const id = nodeInfo.defaultNodeId
  const noted = (sent: boolean, channel: number, message: Uint8Array): boolean => {
    if (sent) onSent(id, channel, message)
    return sent
  }
  const hasChannel = (channel: number): boolean => nodeInfo.channels.includes(channel)
  return {
    id,
    nodeInfo,
    outbound,
    persistent,
    socketAddress,
    reportedAddress,
    hasChannel,
    // A message on a channel that the peer does not have would make the peer end the connection. So it is not sent.
    send: async (channel, message) =>
      hasChannel(channel) && noted(await multiplexer.send(channel, message), channel, message),
    trySend: (channel, message) =>
      hasChannel(channel) && noted(multiplexer.trySend(channel, message), channel, message),
    canSend: (channel) => hasChannel(channel) && multiplexer.canSend(channel),
    heldBytes: multiplexer.heldBytes,
    status: () => ({ ...multiplexer.status(), durationNs: now() - connectedAt }),
  }
}
