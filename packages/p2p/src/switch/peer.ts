import type { NetAddress } from '../address/index.ts'
import type { Multiplexer } from '../mconn/index.ts'
import type { NodeInfo } from '../nodeinfo/index.ts'
import type { Peer } from '../reactor/index.ts'

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
    // A peer ends the connection if it receives a message on a channel that it does not have. So such a message is not
    // sent.
    send: async (channel, message) =>
      hasChannel(channel) && noted(await multiplexer.send(channel, message), channel, message),
    trySend: (channel, message) =>
      hasChannel(channel) && noted(multiplexer.trySend(channel, message), channel, message),
    canSend: (channel) => hasChannel(channel) && multiplexer.canSend(channel),
    heldBytes: multiplexer.heldBytes,
    status: () => ({ ...multiplexer.status(), durationNs: now() - connectedAt }),
  }
}
