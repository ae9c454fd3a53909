import { createLifecycle, createSystemClock, noopLogger } from '@org/runtime'
import { type Application, createApplicationHost } from '../application/index.ts'
import type { AbciError } from '../errors.ts'
import { warnsUntilFirstAnswer } from './answer-warnings.ts'
import type { AbciClient, RemoteClient } from './client.ts'
import { createGrpcClient } from './grpc-client.ts'
import { createLocalClient } from './local-client.ts'
import { methodTiming, timedClient } from './metrics.ts'
import type { ConnectionsModules, RemoteOptions } from './options.ts'
import { createSocketClient } from './socket-client.ts'

/** The names of the connections, in the order in which the reference opens them. */
export const CONNECTION_NAMES = ['query', 'snapshot', 'mempool', 'consensus'] as const
/** The name of one of the four connections to an application. */
export type ConnectionName = (typeof CONNECTION_NAMES)[number]

export interface LocalOptions {
  readonly kind: 'local'
  readonly app: Application
  /**
   * If true, which is the default, the application gets a copy of each request, and may change the copy. If false, the
   * application gets the node's own objects and bytes. This takes less time, but the application must not change them.
   */
  readonly copiesRequests?: boolean
}

export interface RemoteConnectionOptions extends RemoteOptions {
  readonly kind: 'socket' | 'grpc'
}

/** The application of a node: in this process, or in another process. */
export type ConnectionOptions = LocalOptions | RemoteConnectionOptions

/** The four independent connections of a node to its application. */
export interface AbciConnections extends Readonly<Record<ConnectionName, AbciClient>> {
  /** True if the application runs in this process, and ends with it. */
  readonly isInProcess: boolean
  /**
   * Opens the connections one after the other. Repeats each attempt until the application answers. Rejects with the
   * signal's reason if the signal aborts.
   */
  readonly start: (signal?: AbortSignal) => Promise<void>
  /**
   * Closes the connections. A `start` in progress rejects with `SERVICE_STOPPING`, and a later `start` rejects with
   * `SERVICE_NOT_NEW`. More calls of `stop` have no effect.
   */
  readonly stop: () => Promise<void>
  /**
   * Calls `listener` with the first failure of each connection, but not with a failure that `stop` causes. After the
   * signal has aborted, `listener` is not called any more.
   */
  readonly onError: (listener: (error: AbciError, connection: ConnectionName) => void, signal?: AbortSignal) => void
}

/** Creates the connections. By default `modules` has the system clock, no log and no metrics. */
export function createConnections(
  options: ConnectionOptions,
  modules: Partial<ConnectionsModules> = {},
): AbciConnections {
  const { clock = createSystemClock(), logger = noopLogger, metrics } = modules

  function remote(
    remoteOptions: RemoteOptions,
    create: typeof createSocketClient,
  ): Record<ConnectionName, RemoteClient> {
    const client = (name: ConnectionName): RemoteClient => {
      const clientModules = { clock, logger: logger.child(`abci-${name}`) }
      return warnsUntilFirstAnswer(create(remoteOptions, clientModules), remoteOptions.address, clientModules)
    }
    return {
      query: client('query'),
      snapshot: client('snapshot'),
      mempool: client('mempool'),
      consensus: client('consensus'),
    }
  }

  function build(): Record<ConnectionName, AbciClient & Partial<RemoteClient>> {
    if (options.kind !== 'local')
      return remote(options, options.kind === 'grpc' ? createGrpcClient : createSocketClient)
    const { app, copiesRequests = true } = options
    const host = createApplicationHost(app, { copiesRequests })
    return {
      query: createLocalClient(host),
      snapshot: createLocalClient(host),
      mempool: createLocalClient(host),
      consensus: createLocalClient(host),
    }
  }

  const clients = build()
  const life = createLifecycle({
    name: 'the connections to the application',
    start: async (signal) => {
      for (const name of CONNECTION_NAMES) {
        signal.throwIfAborted()
        await clients[name].connect?.(signal)
      }
    },
    stop: async () => {
      await Promise.all(CONNECTION_NAMES.map((name) => clients[name].close()))
    },
  })
  const timing = metrics === undefined ? undefined : methodTiming(metrics)
  const offered = <C extends AbciClient>(client: C): C =>
    timing === undefined ? client : timedClient(client, timing, clock)
  return {
    query: offered(clients.query),
    snapshot: offered(clients.snapshot),
    mempool: offered(clients.mempool),
    consensus: offered(clients.consensus),
    isInProcess: options.kind === 'local',
    start: life.start,
    stop: life.stop,
    onError: (listener, signal) => {
      for (const name of CONNECTION_NAMES) clients[name].onError((error) => listener(error, name), signal)
    },
  }
}
