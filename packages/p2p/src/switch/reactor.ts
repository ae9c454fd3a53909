import type { Sizes } from '@org/runtime'
import type { ChannelDescriptor } from '../mconn/index.ts'
import type { Peer } from './peer.ts'
import type { Verdict } from './verdict.ts'

/** A channel of a reactor. Its capacity may depend on the peer: on whether this node requested something long. */
export interface ReactorChannel extends Omit<ChannelDescriptor, 'receiveMessageCapacity'> {
  /** See {@link ChannelDescriptor}. */
  readonly receiveMessageCapacity?: number | ((peerId: string) => number)
}

/** One protocol over some channels. The methods are called in the order of events; none throws. */
export interface Reactor {
  readonly name: string
  readonly channels: readonly ReactorChannel[]
  /** Names of its messages for the metrics, by the number of the field that contains them. */
  readonly kinds?: readonly (string | undefined)[]
  /** Called before the first message of the peer can arrive. */
  readonly addPeer: (peer: Peer) => void
  readonly removePeer: (peer: Peer, reason: Error | undefined) => void
  /** The sizes of the data kept for peers. */
  readonly sizes?: () => Sizes
  /** Called with a whole message. The peer's next message waits until the promise resolves. */
  readonly receive: (peer: Peer, channel: number, message: Uint8Array) => Verdict | Promise<Verdict>
}
