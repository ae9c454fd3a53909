import type { Sizes } from '@org/runtime'
import type { ChannelDescriptor } from '../mconn/index.ts'
import type { Peer } from './peer.ts'

/**
 * What a message was worth. `reject` costs the peer its connection, and points: when they are used up it is banned for a while.
 */
export type Verdict =
  | { readonly type: 'accept' }
  | { readonly type: 'ignore'; readonly reason: string }
  | { readonly type: 'reject'; readonly reason: string; readonly points: number }

export const ACCEPT: Verdict = { type: 'accept' }
export const ignore = (reason: string): Verdict => ({ type: 'ignore', reason })
/** The default lets a peer come back a few times before it is banned. */
export const reject = (reason: string, points = 20): Verdict => ({ type: 'reject', reason, points })

/** A channel of a reactor. What it takes may depend on the peer: on whether the peer was asked for something long. */
export interface ReactorChannel extends Omit<ChannelDescriptor, 'receiveMessageCapacity'> {
  /** As of {@link ChannelDescriptor}. */
  readonly receiveMessageCapacity?: number | ((peerId: string) => number)
}

/** One protocol over some channels. Every method is called in the order of events; none throws. */
export interface Reactor {
  readonly name: string
  readonly channels: readonly ReactorChannel[]
  /** Names of its messages for the metrics, by the number of the field that holds them. */
  readonly kinds?: readonly (string | undefined)[]
  /** Before the first message of the peer can arrive. */
  readonly addPeer: (peer: Peer) => void
  readonly removePeer: (peer: Peer, reason: Error | undefined) => void
  /** What is kept of peers. */
  readonly sizes?: () => Sizes
  /** A whole message. A promise holds back what the peer sends next. */
  readonly receive: (peer: Peer, channel: number, message: Uint8Array) => Verdict | Promise<Verdict>
}
