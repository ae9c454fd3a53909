import type { Engine, OpenedP2p } from '@org/engine'
import type { EventBus } from '@org/engine/events'
import type { NetAddress } from '@org/p2p'
import { createCleanups, createLifecycle, createListeners } from '@org/runtime'
import { loadOrMakeNodeKey, nodeIdOf } from '../home/node-key.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { logExcess } from '../memory/log-excess.ts'
import { memoryLimits } from '../memory/shares.ts'
import { watchMemory } from '../memory/watch-memory.ts'
import { checkPortsFree } from './check-ports.ts'
import { createEarlyRpc } from './early-rpc.ts'
import type { NodeModules } from './modules.ts'
import { openEngine } from './open-engine.ts'
import { openTcpP2p } from './open-p2p.ts'
import type { Runnable } from './serve.ts'
import { serveRpc } from './serve-rpc.ts'
import { logIdentity, logVersion } from './startup-lines.ts'
import { waitForGenesis } from './wait-for-genesis.ts'

export interface Node extends Runnable {
  /** The URLs of the RPC, such as `http://127.0.0.1:26657`. */
  readonly rpcUrls: () => readonly string[]
  readonly chainId: () => string
  /** The height of the last stored block. */
  readonly height: () => number
  /** The event bus of the chain; `undefined` before the start. */
  readonly events: () => EventBus | undefined
  /** The address at which peers reach the node; `undefined` before the start, or if the node does not listen. */
  readonly peerAddress: () => NetAddress | undefined
  /** Makes these nodes persistent peers, and dials them now. If a node cannot be reached, it is dialled again later. */
  readonly connect: (addresses: readonly NetAddress[]) => Promise<void>
}

/**
 * The longest time for which a stop of the node waits for a start in progress, in milliseconds. If the start is still
 * opening the engine when the stop begins, the start ends within about 2 s, and closes the databases. If the engine is
 * open already, the start may never end, because consensus may wait for a call of an application in this process. The
 * call never ends if the watchdog (`app-devnet/watchdog.ts`) has interrupted it.
 */
const STOP_TIMEOUT_MS = 3000

/**
 * Makes a node from a home, and connects its application, its engine and its RPC. The function is long because it
 * contains the order in which these parts start.
 */
export function createNode(home: OpenedHome, modules: NodeModules): Node {
  const { config, paths, logger } = home
  const { clock } = modules
  const limits = memoryLimits(config)
  /** Releases what the parts of the node use, after all parts have stopped. */
  const resources = createCleanups()
  /** Stops the parts of the node that run. This also ends a start in progress. */
  const services = createCleanups()
  const life = createLifecycle({
    name: 'the node',
    start,
    stop: () => {
      if (resources.size() > 0) logger.info('Stopping Node')
      return services.run()
    },
    // A start that was in progress when `stop` ran may have opened further parts, which are stopped now.
    finish: services.run,
    close: resources.run,
    stopTimeout: { clock, ms: STOP_TIMEOUT_MS },
  })
  const endListeners = createListeners()
  const end = (): void => endListeners.call()
  let engine: Engine | undefined
  let p2p: OpenedP2p | undefined
  let nodeId = ''
  let urls: readonly string[] = []

  /**
   * Ends the node when consensus has failed, unless `--stay-up` keeps it running so that an operator can examine it.
   */
  function watchConsensus({ consensus }: Pick<Engine, 'consensus'>): void {
    consensus.onHalt((error) => {
      const { code } = error
      if (modules.onHalt !== undefined) return modules.onHalt(error)
      if (modules.stayUp !== true) return end()
      logger.warn('Consensus has failed; because of --stay-up the node keeps answering requests until it is stopped', {
        code,
      })
    }, life.signal)
  }

  async function start(signal: AbortSignal): Promise<void> {
    logVersion(home.config.home, logger)
    logExcess(limits, config, logger)
    const lock = await modules.locking
    if (lock !== undefined) resources.add(lock.release)
    await checkPortsFree(config)
    const nodeKey = loadOrMakeNodeKey(paths.nodeKey)
    const earlyRpc = createEarlyRpc(home, limits, clock)
    resources.add(earlyRpc.close)
    engine = await openEngine({
      ...{ home, modules, limits, nodeKey, earlyRpc, resources, end, signal },
      stopped: life.signal,
    })
    services.add(engine.stop)
    signal.throwIfAborted()
    engine.mempool.onEntry(modules.heapGrowth.onTransaction, life.signal)
    nodeId = nodeIdOf(nodeKey)
    logIdentity(engine, { nodeId, nodeKeyFile: paths.nodeKey, logger })
    p2p = await openTcpP2p(config, limits, { engine, nodeKey, ...modules, logger })
    services.add(p2p.stop)
    p2p.onFailure(end, life.signal)
    p2p.onTransfer(modules.heapGrowth.onTransfer, life.signal)
    await waitForGenesis(engine.genesis.genesisTime, { clock, logger, signal })
    await earlyRpc.close()
    const rpc = await serveRpc(home, limits, { engine, p2p, clock, services })
    urls = rpc.urls
    const memory = watchMemory(limits, {
      engine,
      peers: p2p.peers,
      clients: rpc.clients,
      clock,
      logger: logger.child('memory'),
    })
    services.add(memory.stop)
    watchConsensus(engine)
    await engine.start()
    await p2p.start()
    const listening = p2p.peers.listenAddress()
    logger.info('Started node', {
      nodeId,
      chainId: engine.genesis.chainId,
      rpc: urls.join(',') || 'none',
      p2p: listening === undefined ? 'none' : `${nodeId}@${listening.host}:${listening.port}`,
    })
  }

  return {
    start: life.start,
    stop: life.stop,
    onEnd: endListeners.add,
    rpcUrls: () => urls,
    chainId: () => engine?.genesis.chainId ?? '',
    height: () => engine?.blockStore.height() ?? 0,
    events: () => engine?.events,
    peerAddress: () => {
      const listening = p2p?.peers.listenAddress()
      return listening && { id: nodeId, ip: listening.host, port: listening.port }
    },
    connect: async (addresses) => {
      p2p?.peers.addPersistentPeers(addresses)
      await Promise.all(addresses.map(async (address) => p2p?.peers.dial(address).catch(() => undefined)))
    },
  }
}
