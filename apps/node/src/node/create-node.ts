import { type AbciConnections, createConnections } from '@org/abci'
import { createEngine, type Engine, type OpenedNetwork } from '@org/engine'
import type { EventBus } from '@org/engine/events'
import { createFileWal, createMemoryWal, DEFAULT_WAL_OPTIONS } from '@org/engine/storage'
import { createPorts } from '@org/node-rpc'
import type { NetAddress } from '@org/p2p'
import { createRpcServer, type ServedMemory } from '@org/rpc/server'
import type { Clock, Metrics, Random } from '@org/runtime'
import { noopMetrics } from '@org/runtime'
import type { CodedError } from '@org/runtime/errors'
import type { PrivateKey } from '@org/types/crypto'
import type { OpenedHome } from '../cli/context.ts'
import type { HeapGrowth } from '../heap-growth.ts'
import { readText } from '../home/files.ts'
import type { HomeLock } from '../home/lock/index.ts'
import { loadOrMakeNodeKey, nodeIdOf } from '../home/node-key.ts'
import { clientShares, memoryLimits, withFittingMempool } from '../memory/shares.ts'
import { tellExcess } from '../memory/tell-excess.ts'
import { watchMemory } from '../memory/watch-memory.ts'
import { createLateMetrics } from '../metrics/late-metrics.ts'
import { type OpenedApplication, openApplication } from './application.ts'
import { checkPortsFree } from './check-ports.ts'
import { openDatabases } from './databases.ts'
import { engineOptions } from './engine-options.ts'
import { listeningErrors } from './listening-errors.ts'
import { openTcpNetwork } from './open-network.ts'
import { openSigner } from './open-signer.ts'
import { createReplayProgress } from './replay-progress.ts'
import { listeningUrls, rpcOptions } from './rpc-options.ts'
import type { Runnable } from './serve.ts'
import { tellIdentity, tellVersion } from './startup-lines.ts'

export interface NodeModules {
  readonly clock: Clock
  readonly random: Random
  readonly interactive: boolean
  readonly heapGrowth: HeapGrowth
  /** Called when the connection to an application in another process is lost, instead of ending. */
  readonly onApplicationLost?: (error: CodedError) => void
  /** Called when consensus has failed. The node then keeps answering requests. */
  readonly onHalt?: (error: CodedError) => void
  /** Whether to answer requests after a consensus failure, instead of ending. */
  readonly stayUp?: boolean
  /** The application, instead of the one that the configuration names. */
  readonly application?: OpenedApplication
  /** Returns the connections through which the node calls the application; they may report the calls. */
  readonly observe?: (connections: AbciConnections) => AbciConnections
  /** Resolves when the home is locked; absent if nothing is stored in it. */
  readonly locking: Promise<HomeLock> | undefined
}

export interface Node extends Runnable {
  /** The URLs of the RPC, such as `http://127.0.0.1:26657`. */
  readonly rpcUrls: () => readonly string[]
  readonly chainId: () => string
  /** The height of the last stored block. */
  readonly height: () => number
  /** The events of the chain, after the start. */
  readonly events: () => EventBus | undefined
  /** The address for peers, after the start; `undefined` if the node does not listen. */
  readonly peerAddress: () => NetAddress | undefined
  /** Makes these nodes persistent peers, and dials them now. One that cannot be reached is dialled again later. */
  readonly connect: (addresses: readonly NetAddress[]) => Promise<void>
}

type Cleanup = () => void | Promise<void>

/** Makes a node from a home: application, engine, RPC. No other code has all of them. */
export function createNode(home: OpenedHome, modules: NodeModules): Node {
  const { config, paths, logger } = home
  const { clock } = modules
  const limits = memoryLimits(config)
  const cleanups: Cleanup[] = []
  const endListeners = new Set<() => void>()
  const { prometheus, prometheusListenAddr } = config.instrumentation
  const lateMetrics = prometheus && prometheusListenAddr !== '' ? createLateMetrics() : undefined
  let engine: Engine | undefined
  let network: OpenedNetwork | undefined
  let nodeId = ''
  let urls: readonly string[] = []

  function end(): void {
    for (const listener of endListeners) listener()
  }

  /** As in the reference, a node ends without its application, unless the operator wants to examine the node. */
  function watchApplication(connections: AbciConnections): void {
    connections.onError((err, connection) => {
      if (modules.onApplicationLost !== undefined) return modules.onApplicationLost(err)
      logger
        .child('proxy')
        .error(`${connection} connection terminated. Did the application crash? Please restart CometBFT`, { err })
      if (modules.stayUp !== true) end()
    })
  }

  /** A node that makes no blocks is useless to its operator, unless the operator wants to examine it. */
  function watchConsensus({ consensus }: Pick<Engine, 'consensus'>): void {
    consensus.onHalt((error) => {
      const { code } = error
      if (modules.onHalt !== undefined) return modules.onHalt(error)
      if (modules.stayUp !== true) return end()
      logger.warn('Consensus has failed; because of --stay-up the node keeps answering requests until it is stopped', {
        code,
      })
    })
  }

  async function startMetrics(chainId: string): Promise<Metrics> {
    const { instrumentation } = config
    if (lateMetrics === undefined) return noopMetrics
    const { createMetricsServer, createPrometheusMetrics } = await import('../metrics/index.ts')
    const prometheus = createPrometheusMetrics({ namespace: instrumentation.namespace, chainId })
    const options = { address: instrumentation.prometheusListenAddr, maxRequests: instrumentation.maxOpenConnections }
    const server = createMetricsServer(options, { prometheus, logger })
    await server.start()
    cleanups.push(server.stop)
    lateMetrics.become(prometheus.metrics)
    return prometheus.metrics
  }

  async function openConnections(): Promise<AbciConnections> {
    const { proxyApp, abci } = config.base
    const application =
      modules.application ??
      (await openApplication({ proxyApp, transport: abci, databases: paths.databases }, logger.child('kvstore')))
    cleanups.push(application.close)
    const connections = createConnections(application.connection, {
      clock,
      logger,
      ...(lateMetrics === undefined ? {} : { metrics: lateMetrics.metrics }),
    })
    watchApplication(connections)
    return modules.observe?.(connections) ?? connections
  }

  async function openEngine(nodeKey: PrivateKey, signal: AbortSignal): Promise<Engine> {
    const signer = await openSigner(home, { nodeKey, ...modules, logger })
    cleanups.push(signer.close)
    const databases = openDatabases({ directory: paths.databases, backend: config.base.dbBackend })
    const abci = await openConnections()
    const progress = createReplayProgress(modules.interactive, { clock, logger: logger.child('consensus') })
    const { restoreBySnapshot } = config.statesync.enable ? await import('../statesync/restore-by-snapshot.ts') : {}
    const opened = await createEngine(engineOptions(withFittingMempool(limits, config), limits), {
      abci,
      openDatabase: databases.open,
      genesis: { read: () => readText(paths.genesis), name: paths.genesis },
      privval: (chainId) => signer.connect(chainId, signal),
      wal: databases.memory
        ? createMemoryWal()
        : createFileWal({ ...DEFAULT_WAL_OPTIONS, path: paths.wal }, { clock, logger: logger.child('consensus') }),
      metrics: startMetrics,
      onReplay: progress.at,
      ...(restoreBySnapshot && { restore: restoreBySnapshot(config, { nodeKey, limits, ...modules, logger, signal }) }),
      signal,
      clock,
      logger,
    })
    progress.end()
    cleanups.push(opened.stop)
    return opened
  }

  /** The reference waits at this point too, so that all validators begin together. */
  async function waitForGenesis(genesisTime: bigint, signal: AbortSignal): Promise<void> {
    const wait = genesisTime - clock.now()
    if (wait <= 0n) return
    logger.info('Genesis time is in the future. Sleeping until then...', { seconds: Number(wait / 1_000_000_000n) })
    await clock.sleep(Number(wait / 1_000_000n), signal)
  }

  async function start(signal: AbortSignal): Promise<void> {
    tellVersion(home.config.home, logger)
    tellExcess(limits, config, logger)
    const lock = await modules.locking
    if (lock !== undefined) cleanups.push(lock.release)
    await checkPortsFree(config)
    const nodeKey = loadOrMakeNodeKey(paths.nodeKey)
    engine = await openEngine(nodeKey, signal)
    signal.throwIfAborted()
    engine.mempool.onEntry(modules.heapGrowth.onTransaction)
    nodeId = nodeIdOf(nodeKey)
    tellIdentity(engine, { nodeId, nodeKeyFile: paths.nodeKey, logger })
    network = await openTcpNetwork(config, limits, { engine, nodeKey, ...modules, logger })
    cleanups.push(network.stop)
    network.onFailure(end)
    network.onTransfer(modules.heapGrowth.onBlock)
    await waitForGenesis(engine.genesis.genesisTime, signal)
    let clients: ServedMemory | undefined
    if (config.rpc.laddr !== '') {
      const ports = createPorts(engine, { config, network, clock })
      const rpc = createRpcServer({
        ports,
        options: { ...rpcOptions(config), ...clientShares(limits, config) },
        clock,
        logger: logger.child('rpc-server'),
        metrics: engine.metrics,
      })
      clients = rpc.memory
      const listener = await listeningErrors(rpc.listen, config.rpc.grpcLaddr)
      cleanups.push(() => listener.stop())
      urls = listeningUrls(listener, config)
    }
    const memory = watchMemory(limits, {
      engine,
      peers: network.peers,
      clients,
      clock,
      logger: logger.child('memory'),
    })
    cleanups.push(memory.stop)
    watchConsensus(engine)
    await engine.start()
    await network.start()
    const listening = network.peers.listenAddress()
    logger.info('Started node', {
      nodeId,
      chainId: engine.genesis.chainId,
      rpc: urls.join(',') || 'none',
      p2p: listening === undefined ? 'none' : `${nodeId}@${listening.host}:${listening.port}`,
    })
  }

  return {
    start,
    stop: async () => {
      if (cleanups.length > 0) logger.info('Stopping Node')
      for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup()
    },
    onEnd: (listener) => void endListeners.add(listener),
    rpcUrls: () => urls,
    chainId: () => engine?.genesis.chainId ?? '',
    height: () => engine?.blockStore.height() ?? 0,
    events: () => engine?.events,
    peerAddress: () => {
      const listening = network?.peers.listenAddress()
      return listening && { id: nodeId, ip: listening.host, port: listening.port }
    },
    connect: async (addresses) => {
      network?.peers.addPersistentPeers(addresses)
      await Promise.all(addresses.map(async (address) => network?.peers.dial(address).catch(() => undefined)))
    },
  }
}
