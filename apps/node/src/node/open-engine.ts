import { type AbciConnections, createConnections } from '@org/abci'
import { createEngine, type Engine } from '@org/engine'
import { createFileWal, createMemoryWal, DEFAULT_WAL_OPTIONS } from '@org/engine/storage'
import { type Cleanups, type Metrics, noopMetrics } from '@org/runtime'
import type { PrivateKey } from '@org/types/crypto'
import { readText } from '../home/files.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { type MemoryLimits, withFittingMempool } from '../memory/shares.ts'
import { createLateMetrics, type LateMetrics } from '../metrics/late-metrics.ts'
import { openApplication } from './application.ts'
import { openDatabases } from './databases.ts'
import type { EarlyRpc } from './early-rpc.ts'
import { engineOptions } from './engine-options.ts'
import type { NodeModules } from './modules.ts'
import { openSigner } from './open-signer.ts'
import { createReplayProgress } from './replay-progress.ts'

export interface Opening {
  readonly home: OpenedHome
  readonly modules: NodeModules
  readonly limits: MemoryLimits
  readonly nodeKey: PrivateKey
  /** The RPC that is open while a snapshot is restored. */
  readonly earlyRpc: Pick<EarlyRpc, 'open'>
  /**
   * The cleanups of the node. When a part is open, {@link openEngine} adds the function that releases the part. So the
   * parts are also released if the opening of a later part fails.
   */
  readonly resources: Cleanups
  readonly end: () => void
  /** Aborts when the opening of the engine must end. */
  readonly signal: AbortSignal
  /** Aborts when the node stops. */
  readonly stopped: AbortSignal
}

/** Ends the node when the connection to the application is lost, as in the reference, unless `--stay-up` is set. */
function watchApplication(connections: AbciConnections, { home, modules, end, stopped }: Opening): void {
  connections.onError((err, connection) => {
    if (modules.onApplicationLost !== undefined) return modules.onApplicationLost(err)
    home.logger
      .child('proxy')
      .error(`${connection} connection terminated. Did the application crash? Please restart CometBFT`, { err })
    if (modules.stayUp !== true) end()
  }, stopped)
}

async function startMetrics(
  chainId: string,
  late: LateMetrics | undefined,
  { home, resources }: Opening,
): Promise<Metrics> {
  const { instrumentation } = home.config
  if (late === undefined) return noopMetrics
  const { createMetricsServer, createPrometheusMetrics } = await import('../metrics/index.ts')
  const prometheus = createPrometheusMetrics({ namespace: instrumentation.namespace, chainId })
  const options = { address: instrumentation.prometheusListenAddr, maxRequests: instrumentation.maxOpenConnections }
  const server = createMetricsServer(options, { prometheus, logger: home.logger })
  await server.start()
  resources.add(server.stop)
  late.become(prometheus.metrics)
  return prometheus.metrics
}

async function openConnections(late: LateMetrics | undefined, opening: Opening): Promise<AbciConnections> {
  const { home, modules, resources } = opening
  const { paths, logger } = home
  const { proxyApp, abci } = home.config.base
  const application =
    modules.application ??
    (await openApplication({ proxyApp, transport: abci, databases: paths.databases }, logger.child('kvstore')))
  resources.add(application.close)
  const connections = createConnections(application.connection, {
    clock: modules.clock,
    logger,
    ...(late === undefined ? {} : { metrics: late.metrics }),
  })
  watchApplication(connections, opening)
  return modules.observe?.(connections) ?? connections
}

/**
 * Opens the engine of a home, and connects it to its application and its signer. Replays the blocks that the
 * application has not run.
 */
export async function openEngine(opening: Opening): Promise<Engine> {
  const { home, modules, limits, nodeKey, earlyRpc, resources, signal } = opening
  const { config, paths, logger } = home
  const { clock } = modules
  const { prometheus, prometheusListenAddr } = config.instrumentation
  const lateMetrics = prometheus && prometheusListenAddr !== '' ? createLateMetrics() : undefined
  const signer = await openSigner(home, { nodeKey, ...modules, logger })
  resources.add(signer.close)
  const databases = openDatabases({ directory: paths.databases, backend: config.base.dbBackend })
  const abci = await openConnections(lateMetrics, opening)
  const progress = createReplayProgress(modules.interactive, { clock, logger: logger.child('consensus') })
  const { enable, rpcServers } = config.statesync
  const { createHeaderServers, restoreBySnapshot } = enable ? await import('../statesync/index.ts') : {}
  return createEngine(engineOptions(withFittingMempool(limits, config), limits), {
    abci,
    openDatabase: databases.open,
    genesis: { read: () => readText(paths.genesis), name: paths.genesis },
    privval: (chainId) => signer.connect(chainId, signal),
    wal: databases.memory
      ? createMemoryWal()
      : createFileWal({ ...DEFAULT_WAL_OPTIONS, path: paths.wal }, { clock, logger: logger.child('consensus') }),
    metrics: (chainId) => startMetrics(chainId, lateMetrics, opening),
    onReplay: (replayed) => {
      modules.heapGrowth.onReplay()
      progress.at(replayed)
    },
    ...(restoreBySnapshot && {
      restore: restoreBySnapshot(config, {
        ...modules,
        nodeKey,
        limits,
        onOpen: earlyRpc.open,
        logger,
        signal,
        showStatus: home.showStatus,
      }),
    }),
    ...(createHeaderServers && {
      headerServers: (chainId: string) => createHeaderServers({ chainId, urls: rpcServers }, modules),
    }),
    signal,
    clock,
    logger,
  }).finally(progress.end)
}
