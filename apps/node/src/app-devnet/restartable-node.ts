import type { AbciConnections, Application } from '@org/abci'
import { parseQuery } from '@org/engine/query'
import { noopLogger } from '@org/runtime'
import type { CodedError } from '@org/runtime/errors'
import type { CommandContext } from '../context.ts'
import { initHome } from '../home/init-home.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { isDevnetHome, resetDevnet } from '../home/reset-devnet.ts'
import type { Node } from '../node/create-node.ts'
import { lockNode } from '../node/lock-node.ts'
import { withCallObserver } from './call-observer.ts'
import type { Report } from './report.ts'

export interface RestartableNodeOptions {
  readonly home: OpenedHome
  /** The first state of the application of a new chain, as JSON. */
  readonly appState: string | undefined
}

export interface RestartableNodeModules {
  readonly context: CommandContext
  readonly report: Report
  /** Aborts when the devnet stops. A start of a node that is in progress then ends. */
  readonly signal: AbortSignal
  /**
   * Waits for the start of a node. `start` is the promise of the start. The returned promise settles as `start` does.
   * Exception: it rejects at once if the application is interrupted during the start.
   */
  readonly guard: (start: Promise<void>) => Promise<void>
  /** Called each time a node is ready. `isFirst` is true only for the first call. */
  readonly onReady: (node: Node, isFirst: boolean) => void
  /** Called when consensus of the present node has stopped because of a fault. */
  readonly onHalt: (error: CodedError) => void
  /** Called when a node has ended by itself. */
  readonly onEnd: () => void
  /**
   * Called when the present node was ready and has lost its application. If this function is `undefined`, the node
   * ends.
   */
  readonly onApplicationLost: (() => void) | undefined
}

/** Starts nodes for an application, one after the other. All these nodes have the same home and RPC address. */
export interface RestartableNode {
  /**
   * Starts a node with the application `app`. If `app` is `undefined`, the node uses the application that the
   * configuration names. After a rejection, the caller must stop the node.
   */
  readonly start: (app: Application | undefined) => Promise<void>
  readonly stop: () => Promise<void>
  /** Removes the chain. No node may run. */
  readonly removeChain: () => Promise<void>
  /** Returns true if `removeChain` may remove the chain, because the command `devnet` made the home. */
  readonly canRemoveChain: () => boolean
  readonly isRunning: () => boolean
  /** Returns true if at least one start of a node has succeeded. */
  readonly wasReady: () => boolean
  /** The height of the application at the last start. If it is not 0, the application has stored a state. */
  readonly appHeight: () => number
}

const NO_CLOSE = (): Promise<void> => Promise.resolve()

/**
 * Returns the home for a restart of the node. If the configured RPC port is 0, the system chose a port at the first
 * start. The returned home then has this port, so that clients find the node at the same address.
 */
function atAddress(home: OpenedHome, url: string | undefined): OpenedHome {
  const { config } = home
  if (url === undefined || !config.rpc.laddr.endsWith(':0')) return home
  return { ...home, config: { ...config, rpc: { ...config.rpc, laddr: url.replace('http://', 'tcp://') } } }
}

function printBlocks(node: Node, report: Report): void {
  node.events()?.subscribe({
    subscriber: 'app-devnet',
    query: parseQuery("tm.event = 'NewBlock'"),
    onItem: ({ data }) => {
      if (data.type === 'NewBlock') report.block(data)
    },
  })
}

/**
 * Returns the connections to the application. `onHeight` receives the application's height from each answer to `info`,
 * which the node calls at a start.
 */
function withHeight(connections: AbciConnections, onHeight: (height: number) => void): AbciConnections {
  const { query } = connections
  const info: typeof query.info = async (request) => {
    const answer = await query.info(request)
    onHeight(answer.lastBlockHeight)
    return answer
  }
  return { ...connections, query: { ...query, info } }
}

export function createRestartableNode(
  options: RestartableNodeOptions,
  modules: RestartableNodeModules,
): RestartableNode {
  const { context, report, onApplicationLost } = modules
  let { home } = options
  let node: Node | undefined
  let isReady = false
  let readyCount = 0
  let appHeight = 0

  const observe = (connections: AbciConnections): AbciConnections =>
    withCallObserver(
      withHeight(connections, (height) => {
        appHeight = height
      }),
      report,
    )

  /**
   * Calls `onApplicationLost` after the node has lost its application. Does nothing during a start, because the start
   * itself reports the error.
   */
  function lost(from: Node): void {
    if (node !== from || !isReady || modules.signal.aborted) return
    isReady = false
    onApplicationLost?.()
  }

  async function start(app: Application | undefined): Promise<void> {
    const { random, clock } = context
    await initHome(home.paths, { logger: noopLogger, random, now: clock.now(), appState: options.appState })
    const locking = lockNode(home)
    const { createNode } = await import('../node/create-node.ts')
    node = createNode(home, {
      ...context,
      locking,
      ...(app !== undefined && { application: { connection: { kind: 'local', app }, close: NO_CLOSE } }),
      ...(onApplicationLost !== undefined && { onApplicationLost: () => lost(started) }),
      observe,
      onHalt: (error) => {
        if (node === started) modules.onHalt(error)
      },
    })
    const started = node
    started.onEnd(modules.onEnd, modules.signal)
    await modules.guard(started.start(modules.signal))
    home = atAddress(home, started.rpcUrls()[0])
    printBlocks(started, report)
    isReady = true
    modules.onReady(started, readyCount === 0)
    readyCount++
  }

  return {
    start,
    stop: async () => {
      const running = node
      node = undefined
      isReady = false
      await running?.stop()
    },
    removeChain: () => resetDevnet([home]),
    canRemoveChain: () => isDevnetHome(home),
    isRunning: () => node !== undefined,
    wasReady: () => readyCount > 0,
    appHeight: () => appHeight,
  }
}
