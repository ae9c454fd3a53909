import type { Clock, Lane, Logger } from '@org/runtime'
import type { Pace } from './call/call-pace.ts'
import type { ResultCache } from './call/invoke.ts'
import type { LargeAnswers } from './call/large-answers.ts'
import type { Profile } from './call/profile.ts'
import type { CallContext, Route, SubscriberConnection } from './call/route.ts'
import { LARGE_REQUEST } from './call/while-connected.ts'
import type { HttpRequest } from './http/index.ts'
import type { ClientMemory } from './memory/client-memory.ts'
import type { LeftBatches } from './memory/left-batches.ts'
import type { CrossSiteRequests } from './middleware/cross-site-requests.ts'
import type { RpcMeter } from './middleware/meter.ts'
import type { RateLimit } from './middleware/rate-limit.ts'
import type { RpcOptions } from './options.ts'
import type { Ports } from './ports/index.ts'
import type { Site } from './site/index.ts'
import type { CatchUpTurns } from './subscriptions/catch-up-turns.ts'

/** The parts of the RPC that every transport needs. */
export interface RpcService {
  readonly options: RpcOptions
  readonly ports: Ports
  readonly routes: ReadonlyMap<string, Route>
  /** Writes the answers in the form of one profile. */
  readonly profile: Profile
  readonly cache: ResultCache
  /** Makes large answers. All transports and profiles share it. */
  readonly answers: LargeAnswers
  /** Decides when each call runs. All transports share it. */
  readonly pace: Pace
  /** Runs the calls of operations with {@link Route.isOneByOne}, one after the other. All transports share it. */
  readonly oneByOne: Lane
  /** Counts and limits the memory that the node uses for its clients. */
  readonly memory: ClientMemory
  /** Counts and limits the batches whose clients are gone. */
  readonly leftBatches: LeftBatches
  /** Decides which catch-up of a subscriber works at which time. All transports share it. */
  readonly catchUpTurns: CatchUpTurns
  /** Decides which requests of web pages are refused. */
  readonly foreign: CrossSiteRequests
  /** A web page with its files. If it is absent, requests to the paths of the page get the status 404. */
  readonly site: Site | undefined
  /** The limit on the rate of calls. Absent: there is no limit. */
  readonly rateLimit: RateLimit | undefined
  /** Counts the work of the RPC. Absent: there are no metrics. */
  readonly meter: RpcMeter | undefined
  readonly clock: Clock
  readonly logger: Logger
}

/** The data about the caller that a call of an operation needs. */
export interface Caller {
  readonly remoteAddress: string
  readonly signal: () => AbortSignal
  /** The body of the request, or the message of the WebSocket. Absent over gRPC. */
  readonly body?: { readonly length: number }
  readonly connection?: SubscriberConnection
  /**
   * The headers and the host of the request. Over WebSocket, they are those of the request that opened the WebSocket.
   * Over gRPC, they are absent.
   */
  readonly headers?: HttpRequest['headers']
  readonly host?: string
}

const NO_HEADERS: HttpRequest['headers'] = new Map()

export function callContext(service: RpcService, caller: Caller, requestId: string): CallContext {
  const { ports, options, clock, pace, answers, meter } = service
  const { remoteAddress, signal, body, connection, headers = NO_HEADERS, host = '' } = caller
  const isLarge = body !== undefined && body.length >= LARGE_REQUEST
  const controlFault = (): string | undefined => service.foreign.controlFault({ headers, host })
  const node = { ports, options, clock, pace, answers, meter }
  const base = { ...node, remoteAddress, signal, isLarge, requestId, controlFault }
  return connection === undefined ? base : { ...base, connection }
}
