import type { EventItem, Ports } from '../ports/index.ts'
import type { ErrorKind, Reply } from './envelope.ts'
import type { Route } from './route.ts'

/**
 * A form of the JSON in answers: that of CometBFT v0.38, or that of the Node RPC Service Specification (the "service
 * document").
 */
export interface Profile {
  readonly name: string
  /** The `id`, as JSON, of answers that do not repeat the id of a request, such as the answers to calls by URI. */
  readonly noId: string
  /** True if HTTP caches may also keep the answer to a failed call. */
  readonly cachesFailures: boolean
  /** Returns the JSON of an operation's result. */
  readonly resultText: (route: Route, value: unknown, ports: Ports) => string
  /**
   * Returns the JSON of an operation's result in pieces, if the result may be too large to be made at once; otherwise
   * `undefined`.
   */
  readonly resultPieces: (route: Route, value: unknown, ports: Ports) => Iterable<string> | undefined
  /** Converts a piece of an operation's result from the v0.38 form to the form of the profile. */
  readonly slice: (route: Route, piece: string) => string
  /**
   * True if the operation may write its result in pieces. This is possible if the function {@link Profile.slice} can
   * convert each piece to the form of the profile, without the other pieces.
   */
  readonly isPlain: (route: Route) => boolean
  readonly errorReply: (id: string | undefined, kind: ErrorKind, data?: string) => Reply
  /** Returns the JSON of an event: the members that come after `query` in the `result` of an event message. */
  readonly eventText: (item: EventItem, ports: Ports) => string
}
