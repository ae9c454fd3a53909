import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type Clock,
  createLane,
  createSystemClock,
  type Logger,
  type Metrics,
  noopLogger,
  noopMetrics,
} from '@org/runtime'
import { createPace, type Pace } from './call/call-pace.ts'
import { createResultCache } from './call/invoke.ts'
import { createLargeAnswers } from './call/large-answers.ts'
import type { Route } from './call/route.ts'
import { type HttpHandler, type ListenAddress, parseListenAddresses } from './http/index.ts'
import { type ClientMemory, createClientMemory } from './memory/client-memory.ts'
import { createLeftBatches } from './memory/left-batches.ts'
import { withCompression } from './middleware/compression.ts'
import { checkOrigins } from './middleware/cors.ts'
import { createCrossSiteRequests } from './middleware/cross-site-requests.ts'
import { createMeter, type RpcMeter, withMeter } from './middleware/meter.ts'
import { createRateLimit } from './middleware/rate-limit.ts'
import { refusingWhenShort } from './middleware/refuse-when-short.ts'
import { withGenesisBytes } from './operations/sliced-genesis.ts'
import { activeRoutes } from './operations/table.ts'
import { DEFAULT_RPC_OPTIONS, type RpcOptions } from './options.ts'
import type { Ports } from './ports/index.ts'
import { type Preparing, preparingPorts, preparingRoutes } from './preparing/index.ts'
import { createProfiles, defaultProfile } from './profiles/create-profiles.ts'
import { type Relay, relayedRoutes, relayPorts } from './relay/index.ts'
import type { RpcService } from './service.ts'
import type { Site } from './site/index.ts'
import { createCatchUpTurns } from './subscriptions/catch-up-turns.ts'
import { createHandler } from './transports/handler.ts'
import { listenOn, type RpcListener } from './transports/listen.ts'
import { createWebSockets } from './websocket/websocket-server.ts'

interface CommonModules {
  /** The options. An option that is absent has its default. */
  readonly options?: Partial<RpcOptions>
  readonly clock?: Clock
  readonly logger?: Logger
  readonly metrics?: Metrics
  /**
   * A web page with its files. The server sends these files for requests to the paths of the page. A strict node does
   * not send the files.
   */
  readonly site?: Site
}

/** The parts of the RPC of a running node: its options, and the ports through which it reads the node. */
export interface RpcModules extends CommonModules {
  readonly ports: Ports
}

/**
 * The parts of the RPC of a relay: the options, and the source `relay` that returns each answer. A relay is an RPC that
 * has no chain data of its own, such as a proxy to other nodes.
 */
export interface RelayModules extends CommonModules {
  readonly relay: Relay
}

/**
 * The parts of the RPC of a node before it has a chain to serve: its options, and the data that such a node can already
 * report.
 */
export interface PreparingModules extends CommonModules {
  readonly preparing: Preparing
}

/** The RPC of a node with its own HTTP server, without the hono app. */
export interface RpcServer {
  /**
   * Handles the event `upgrade` of a Node.js HTTP server that is not the server of `listen`, such as the server that
   * runs the hono app. The event opens a WebSocket.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Uint8Array) => void
  readonly routes: ReadonlyMap<string, Route>
  /** Answers one request whose body was read in full. */
  readonly handler: HttpHandler
  /**
   * Listens on `options.laddr` with this package's own HTTP server, whose answers are the reference's byte for byte.
   * Throws RpcError (`RPC_CONFIG`).
   */
  readonly listen: () => Promise<RpcListener>
  /** The memory that the node uses for its clients, and ways to reduce it. */
  readonly memory: ServedMemory
  /** The addresses of `options.laddr`. */
  readonly addresses: () => readonly ListenAddress[]
}

/** The memory that an RPC uses for clients and caches. A node that needs memory can free it here. */
export interface ServedMemory extends Pick<ClientMemory, 'held' | 'closeLargest' | 'setShort'> {
  /** Empties the cache of answers. Returns the number of freed bytes. */
  readonly dropCaches: () => number
}

function metered(metrics: Metrics | undefined, clock: Clock): RpcMeter | undefined {
  return metrics === undefined || metrics === noopMetrics ? undefined : createMeter(metrics, clock)
}

/**
 * Returns the ports with two additions of the RPC: the bytes of the genesis document, and a count of the subscriptions.
 */
function preparedPorts(
  ports: Ports,
  { clock, pace, meter }: { readonly clock: Clock; readonly pace: Pace; readonly meter: RpcMeter | undefined },
): Ports {
  const { genesis, events } = ports
  return {
    ...ports,
    ...(genesis === undefined ? {} : { genesis: withGenesisBytes(genesis, { clock, pace }) }),
    ...(events === undefined || meter === undefined ? {} : { events: meter.watch(events) }),
  }
}

function wrapped(
  handler: HttpHandler,
  { options, meter }: { readonly options: RpcOptions; readonly meter: RpcMeter | undefined },
): HttpHandler {
  const compressed = options.compression && !options.strict ? withCompression(handler) : handler
  return meter === undefined ? compressed : withMeter(compressed, meter)
}

/** Creates the RPC of a node with its own HTTP server, without loading hono. */
export function createRpcServer(modules: RpcModules): RpcServer {
  return createServer(modules, activeRoutes)
}

/**
 * Creates the RPC of a relay. A relay is an RPC that has no chain data of its own, such as a proxy to other nodes. It
 * has the operations that the function `relayedRoutes` returns, and the same transports and limits as the RPC of a
 * node.
 */
export function createRelayServer({ relay, ...modules }: RelayModules): RpcServer {
  return createServer({ ...modules, ports: relayPorts(relay) }, () => relayedRoutes(relay))
}

/**
 * Creates the RPC of a node that has no chain yet. It answers questions about the node, its peers and its progress.
 * Every other call gets `RPC_NOT_READY`.
 */
export function createPreparingServer({ preparing, ...modules }: PreparingModules): RpcServer {
  return createServer({ ...modules, ports: preparingPorts(preparing) }, preparingRoutes(preparing))
}

function createServer(modules: RpcModules, routesOf: typeof activeRoutes): RpcServer {
  const options: RpcOptions = { ...DEFAULT_RPC_OPTIONS, ...modules.options }
  if (!options.strict) checkOrigins(options.corsAllowedOrigins)
  const clock = modules.clock ?? createSystemClock()
  const meter = metered(modules.metrics, clock)
  const pace = createPace({ clock, precedence: modules.ports.precedence, onWaiting: meter?.waiting })
  const ports = preparedPorts(modules.ports, { clock, pace, meter })
  const logger = modules.logger ?? noopLogger
  const memory = createClientMemory(options, { logger, metrics: modules.metrics ?? noopMetrics })
  const cache = createResultCache(options.cacheBytes)
  const service: RpcService = {
    options,
    ports,
    routes: routesOf(options, ports),
    profile: defaultProfile(options),
    cache,
    answers: createLargeAnswers(),
    memory,
    leftBatches: createLeftBatches(),
    pace,
    oneByOne: createLane(),
    catchUpTurns: createCatchUpTurns({ clock, pace, precedence: ports.precedence }),
    clock,
    meter,
    foreign: createCrossSiteRequests(options),
    site: options.strict ? undefined : modules.site,
    rateLimit: createRateLimit(options, clock, meter?.rateLimited),
    logger,
  }
  const profiles = createProfiles(service)
  const webSockets = createWebSockets(profiles)
  const answering = createHandler(profiles, { upgrade: webSockets.upgrade })
  const handler = refusingWhenShort(wrapped(answering, { options, meter }), service)
  return {
    upgrade: webSockets.accept,
    routes: service.routes,
    handler,
    memory: {
      held: memory.held,
      closeLargest: memory.closeLargest,
      setShort: memory.setShort,
      dropCaches: cache.clear,
    },
    addresses: () => parseListenAddresses(options.laddr),
    listen: () => listenOn(parseListenAddresses(options.laddr), { service, handler, webSockets }),
  }
}
