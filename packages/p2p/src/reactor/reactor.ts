import type { Sizes } from '@org/runtime'
import type { ChannelDescriptor } from '../mconn/index.ts'
import type { Peer } from './peer.ts'
import type { Verdict } from './verdict.ts'

/**
 * A channel of a reactor. The maximum size of its messages may depend on the peer, because this node may have requested
 * a long answer from the peer.
 */
export interface ReactorChannel extends Omit<ChannelDescriptor, 'receiveMessageCapacity'> {
  /** The maximum number of bytes of a message. See {@link ChannelDescriptor}. */
  readonly receiveMessageCapacity?: number | ((peerId: string) => number)
}

/**
 * The code for one protocol, which uses one or several channels. For each peer, the switch calls `addPeer` first, then
 * `receive` for each message of the peer, and `removePeer` last. The methods do not throw.
 */
export interface Reactor {
  readonly name: string
  readonly channels: readonly ReactorChannel[]
  /**
   * The names of the kinds of messages, for the metrics. On the wire, a message is one field of a wrapping message, and
   * the number of this field gives the kind. The index of a name in the list is this number.
   */
  readonly kinds?: readonly (string | undefined)[]
  /** Called when a peer was added, before the first message of the peer can arrive. */
  readonly addPeer: (peer: Peer) => void
  readonly removePeer: (peer: Peer, reason: Error | undefined) => void
  /** Returns the sizes of the data that the reactor keeps, for example for its peers. */
  readonly sizes?: () => Sizes
  /** Receives a whole message. The next message of the peer is not read until the returned promise resolves. */
  readonly receive: (peer: Peer, channel: number, message: Uint8Array) => Verdict | Promise<Verdict>
}
