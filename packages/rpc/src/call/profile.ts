import type { EventItem, Ports } from '../ports/index.ts'
import type { ErrorKind, Reply } from './envelope.ts'
import type { Route } from './route.ts'

/** A way to write results as JSON: `v0.38`, or the shapes of the service document. */
export interface Profile {
  readonly name: string
  /**
   * The id, as JSON, of answers to requests without an id: calls by URI, and calls on which the reference crashes.
   */
  readonly noId: string
  /** True if HTTP caches may keep the error of a call as long as they may keep its result. */
  readonly cachesFailures: boolean
  /** Returns the JSON of an operation's result. */
  readonly resultText: (route: Route, value: unknown, ports: Ports) => string
  /**
   * Returns the JSON of an operation's result in pieces, if the result may be too large to be made at once; otherwise
   * `undefined`.
   */
  readonly resultPieces: (route: Route, value: unknown, ports: Ports) => Iterable<string> | undefined
  /** Converts a piece that the operation itself writes in v0.38 to the form of the profile. */
  readonly slice: (route: Route, piece: string) => string
  /**
   * True if an operation may write its result in pieces. This is possible only if `slice` makes all differences between
   * the profile and v0.38.
   */
  readonly isPlain: (route: Route) => boolean
  readonly errorReply: (id: string | undefined, kind: ErrorKind, data?: string) => Reply
  /** Returns the members that follow the query in the `result` of an event message, as JSON. */
  readonly eventText: (item: EventItem, ports: Ports) => string
}
