import type { EventItem, Ports } from '../ports/index.ts'
import type { Route } from '../routes/route.ts'
import type { ErrorKind, Reply } from '../transports/envelope.ts'

/** One way of writing the same results. */
export interface Profile {
  readonly name: string
  /** The id, as JSON, of answers whose request has none: calls by URI, and those that a crash answered. */
  readonly noId: string
  /** Whether caches may keep the failure of an operation whose result they may keep. */
  readonly cachesFailures: boolean
  /** The JSON of an operation's result. */
  readonly resultText: (route: Route, value: unknown, ports: Ports) => string
  /** The same in pieces where it may be too large to be made in one go. */
  readonly resultPieces: (route: Route, value: unknown, ports: Ports) => Iterable<string> | undefined
  /** Returns a piece of a result that the operation itself writes in pieces, as the profile has it. */
  readonly slice: (route: Route, piece: string) => string
  /** Whether an operation that writes its result in pieces may do so: the pieces differ from v0.38 at most in `slice`. */
  readonly isPlain: (route: Route) => boolean
  readonly errorReply: (id: string | undefined, kind: ErrorKind, data?: string) => Reply
  /** The members of an event's `result` after its query. */
  readonly eventText: (item: EventItem, ports: Ports) => string
}
