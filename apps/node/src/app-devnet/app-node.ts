import type { AbciConnections, Application } from '@org/abci'
import { HANDSHAKE_ERRORS } from '@org/engine'
import { parseQuery } from '@org/engine/query'
import { createListeners, messageOf, noopLogger } from '@org/runtime'
import { type CodedError, isCodedError } from '@org/runtime/errors'
import type { CommandContext } from '../context.ts'
import { initHome } from '../home/init-home.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { resetDevnet } from '../home/reset-devnet.ts'
import type { Node } from '../node/create-node.ts'
import { lockNode } from '../node/lock-node.ts'
import type { Runnable } from '../node/serve.ts'
import { APP_ERRORS, AppError } from './errors.ts'
import { observed } from './observe.ts'
import type { Report } from './report.ts'

export interface AppNodeOptions {
  readonly home: OpenedHome
  /** The first state of the application of a new chain, as JSON. */
  readonly appState: string | undefined
  /**
   * `once`: a failure of the application ends the node. `watched`: after a failure, the node starts again when {@link
   * AppNode.restart} is called. `remote`: the application is in another process, at the address in the configuration.
   * The node waits for the application, and starts again if the connection is lost or consensus fails.
   */
  readonly kind: 'once' | 'watched' | 'remote'
}

export interface AppNodeModules {
  readonly context: CommandContext
  readonly report: Report
  /**
   * Makes a new application. Resolves to `undefined` if the node must use the application that the configuration names.
   * Rejects with a coded error.
   */
  readonly load: () => Promise<Application | undefined>
  /**
   * `start` is the promise of the node's start. Returns a promise that settles as `start` does, but rejects if the
   * application is interrupted before `start` settles. Default: the application is never interrupted.
   */
  readonly guard?: (start: Promise<void>) => Promise<void>
  /** Called each time a node is ready. `isFirst` is true only for the first call. */
  readonly onReady: (node: Node, isFirst: boolean) => void
}

export interface AppNode extends Runnable {
  /**
   * Makes the application again, and starts the node with the new application. The chain is replayed into the
   * application; if `isNewChain`, a new chain begins instead. If no new application can be made, the old one continues.
   * Restarts run one after the other. While a restart waits for its turn, further calls add no restart. The waiting
   * restart begins a new chain if at least one of these calls has `isNewChain`.
   */
  readonly restart: (isNewChain: boolean) => void
  /** Stops the node after its application was interrupted in a call. The next restart makes a new application. */
  readonly interrupted: (error: AppError) => void
}

/**
 * The pause after the first failure of a node whose application is another process. Then the node starts again. Each
 * further pause is twice as long.
 */
const FIRST_RETRY_MS = 500
/** The longest pause before a node starts again. */
const MAX_RETRY_MS = 8_000

const NO_CLOSE = (): Promise<void> => Promise.resolve()

/**
 * Returns the home for a restart of the node. If the configured port of the RPC is 0, the home gets the address that
 * the system chose at the first start. So clients find the node at the same address after a restart.
 */
function atAddress(home: OpenedHome, url: string | undefined): OpenedHome {
  const { config } = home
  if (url === undefined || !config.rpc.laddr.endsWith(':0')) return home
  return { ...home, config: { ...config, rpc: { ...config.rpc, laddr: url.replace('http://', 'tcp://') } } }
}

/** Whether the error says that the application, after a replay, has another app hash than the chain. */
function isOtherHash(error: unknown): error is CodedError {
  return isCodedError(error, HANDSHAKE_ERRORS.appHashMismatch)
}

function shownHash(hash: unknown): string {
  const hex = String(hash)
  if (hex === '') return '(empty)'
  const text = Buffer.from(hex, 'hex').toString('latin1')
  return /^[\x20-\x7e]+$/.test(text) ? `${hex} (${JSON.stringify(text)})` : hex
}

/** Returns a text with the app hash of the chain and the app hash of the application, each on its own line. */
function difference({ data }: CodedError): string {
  return `after block ${data.height} the application has another app hash than the chain:
         chain        ${shownHash(data.chainAppHash)}
         application  ${shownHash(data.appHash)}`
}

/** The possible reasons why the app hash differs after a change of the application. */
const REASONS = `         Either the change has an effect on old blocks, or the application does not always compute the same
         (it uses a clock, random numbers, the network, or the order of a loop).`

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

/**
 * Creates a node that can start again with a new application, after a change of the application's file or after a
 * failure. The function is long because it contains each path from a change or a failure to the next start.
 */
export function createAppNode(options: AppNodeOptions, modules: AppNodeModules): AppNode {
  const { context, report, load, onReady, guard = (start) => start } = modules
  const { kind, appState } = options
  const stopping = new AbortController()
  const endListeners = createListeners()
  let { home } = options
  let node: Node | undefined
  let turn = Promise.resolve()
  let waiting: { isNewChain: boolean } | undefined
  let readyCount = 0
  let isReady = false
  let retryMs = FIRST_RETRY_MS
  let lastFailure = ''
  /** The height of the application at the start of the node. If it is not 0, the application has stored a state. */
  let appHeight = 0

  async function stopNode(): Promise<void> {
    const running = node
    node = undefined
    isReady = false
    await running?.stop()
  }

  function onHalt(error: CodedError): void {
    report.error(error)
    if (kind === 'remote') retry()
    else if (kind === 'watched') {
      report.line('The chain makes no more blocks; the RPC still answers. Waiting for a change of the application.')
    } else endListeners.call()
  }

  /** Starts the node again after a pause, which is longer after each further failure. */
  function retry(): void {
    context.clock.sleep(retryMs, stopping.signal).then(
      () => restart(false),
      () => undefined,
    )
    retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)
  }

  /** Reports a failure, unless the previous failure had the same text. */
  function failed(error: unknown): void {
    const message = messageOf(error)
    if (message !== lastFailure) report.error(error)
    lastFailure = message
  }

  async function startNode(app: Application | undefined): Promise<void> {
    const { paths } = home
    await initHome(paths, { logger: noopLogger, random: context.random, now: context.clock.now(), appState })
    const locking = lockNode(home)
    const { createNode } = await import('../node/create-node.ts')
    node = createNode(home, {
      ...context,
      locking,
      ...(app !== undefined && { application: { connection: { kind: 'local', app }, close: NO_CLOSE } }),
      ...(kind === 'remote' && { onApplicationLost: () => lost(started) }),
      observe: (connections) =>
        observed(
          withHeight(connections, (height) => {
            appHeight = height
          }),
          report,
        ),
      onHalt: (error) => {
        if (node === started) onHalt(error)
      },
    })
    const started = node
    started.onEnd(() => endListeners.call())
    await guard(started.start(stopping.signal))
    home = atAddress(home, started.rpcUrls()[0])
    printBlocks(started, report)
    isReady = true
    retryMs = FIRST_RETRY_MS
    onReady(started, readyCount === 0)
    readyCount++
  }

  /**
   * Starts the node again after the connection to the application was lost. Ignores a loss during a start, because the
   * start itself reports the error.
   */
  function lost(from: Node): void {
    if (node !== from || !isReady || stopping.signal.aborted) return
    isReady = false
    report.line('The connection to the application is lost. The chain waits until the application runs again.')
    restart(false)
  }

  /**
   * Starts the node with this application. The start fails if the app hash of the application differs from that of
   * the chain. Then a new application is made and a new chain begins. There are four exceptions, in which this
   * function rejects: the application has stored a state, the chain is new already, the node is of the kind `once`,
   * or the node is of the kind `remote` and has never been ready.
   */
  async function startWith(app: Application | undefined, isNewChain: boolean): Promise<void> {
    await stopNode()
    if (isNewChain) await resetDevnet(home)
    try {
      await startNode(app)
    } catch (error) {
      await stopNode()
      stopping.signal.throwIfAborted()
      if (!isOtherHash(error)) throw error
      // An application with a stored state would keep this state in a new chain, and fail again. So no new chain
      // begins.
      if (appHeight > 0) throw error
      if (isNewChain || kind === 'once' || (kind === 'remote' && readyCount === 0)) throw otherHash(error)
      report.line(`A new chain begins: ${difference(error)}\n${REASONS}`)
      await startWith(await load(), true)
    }
  }

  async function restartNow(isNewChain: boolean): Promise<void> {
    let app: Application | undefined
    try {
      app = await load()
    } catch (error) {
      report.error(error)
      const stays = node === undefined ? '' : 'The chain continues with the application as it was. '
      return report.line(`${stays}Waiting for a change of the application.`)
    }
    try {
      await startWith(app, isNewChain)
    } catch (error) {
      if (stopping.signal.aborted) return
      if (kind === 'remote') {
        failed(error)
        return retry()
      }
      report.error(error)
      report.line('The chain makes no more blocks. Waiting for a change of the application.')
    }
  }

  function restart(isNewChain: boolean): void {
    if (waiting !== undefined) {
      waiting.isNewChain ||= isNewChain
      return
    }
    const wish = { isNewChain }
    waiting = wish
    turn = turn.then(async () => {
      waiting = undefined
      if (!stopping.signal.aborted) await restartNow(wish.isNewChain)
    })
  }

  return {
    start: async (signal) => {
      signal.addEventListener('abort', () => stopping.abort(signal.reason), { once: true })
      turn = kind === 'watched' ? restartNow(false) : load().then((app) => startWith(app, false))
      await turn
    },
    restart,
    interrupted: (error) => {
      report.error(error)
      if (kind === 'once') return endListeners.call()
      report.line('The chain makes no more blocks. Waiting for a change of the application.')
      turn = turn.then(stopNode)
    },
    stop: async () => {
      stopping.abort()
      await turn.catch(() => undefined)
      await stopNode()
    },
    onEnd: endListeners.add,
  }
}

function otherHash(error: CodedError): AppError {
  const message = `${difference(error)}\nAnother version of the application made this chain. Start a new chain with --reset; a devnet that is running does this by itself after a change.`
  return new AppError(APP_ERRORS.otherHash, message, { data: error.data, cause: error })
}
