import type { NetAddress } from '../address/index.ts'
import type { MconnStatus, Multiplexer } from '../mconn/index.ts'
import type { NodeInfo } from '../nodeinfo/index.ts'

/** A connected, authenticated, compatible node. */
export interface Peer {
  readonly id: string
  readonly nodeInfo: NodeInfo
  /** We dialled it. */
  readonly outbound: boolean
  /** It is dialled again when the connection ends with an error. */
  readonly persistent: boolean
  /** Where the connection goes to or comes from. */
  readonly socketAddress: NetAddress
  /** Where it says that it is reached; `undefined` if it named a host that cannot be found. */
  readonly reportedAddress: NetAddress | undefined
  /** Says whether the message was queued, after waiting for room. */
  readonly send: (channel: number, message: Uint8Array) => Promise<boolean>
  readonly trySend: (channel: number, message: Uint8Array) => boolean
  readonly canSend: (channel: number) => boolean
  readonly hasChannel: (channel: number) => boolean
  /** Bytes of memory that its unfinished messages take, and messages that wait to be sent to it. */
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
  /** Told of each message that was queued. */
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
    // A channel that the peer does not know would end the connection.
    send: async (channel, message) =>
      hasChannel(channel) && noted(await multiplexer.send(channel, message), channel, message),
    trySend: (channel, message) =>
      hasChannel(channel) && noted(multiplexer.trySend(channel, message), channel, message),
    canSend: (channel) => hasChannel(channel) && multiplexer.canSend(channel),
    heldBytes: multiplexer.heldBytes,
    status: () => ({ ...multiplexer.status(), durationNs: now() - connectedAt }),
  }
}
