import type { Application } from '@org/abci'
import { HANDSHAKE_ERRORS } from '@org/engine'
import { parseQuery } from '@org/engine/query'
import { noopLogger } from '@org/runtime'
import { type CodedError, isCodedError } from '@org/runtime/errors'
import type { CommandContext, OpenedHome } from '../cli/context.ts'
import { resetDevnet } from '../commands/devnet-reset.ts'
import { initHome } from '../commands/init.ts'
import type { Node } from '../node/create-node.ts'
import { lockNode } from '../node/lock-node.ts'
import type { Runnable } from '../node/serve.ts'
import { APP_ERRORS, AppError } from './errors.ts'
import { observed } from './observe.ts'
import type { Report } from './report.ts'

export interface AppNodeOptions {
  readonly home: OpenedHome
  /** JSON for the application of a new chain. */
  readonly appState: string | undefined
  /** Whether the node survives failures of the application, and starts again when {@link AppNode.restart} is called. */
  readonly isWatched: boolean
}

export interface AppNodeModules {
  readonly context: CommandContext
  readonly report: Report
  /** Makes a new application. Rejects with a coded error. */
  readonly load: () => Promise<Application>
  /** Called when a node is ready: `isFirst` at the first time. */
  readonly onReady: (node: Node, isFirst: boolean) => void
}

export interface AppNode extends Runnable {
  /**
   * Makes the application again, and starts the node with it: the chain is replayed into it, or begins again if `isNewChain`. The
   * old application continues if there is no new one. Restarts happen one after the other; a restart that waits includes later
   * ones of its kind.
   */
  readonly restart: (isNewChain: boolean) => void
}

const NO_CLOSE = (): Promise<void> => Promise.resolve()

/** The same home, whose RPC listens at the address that the system chose before, so that clients find it again. */
function atAddress(home: OpenedHome, url: string | undefined): OpenedHome {
  const { config } = home
  if (url === undefined || !config.rpc.laddr.endsWith(':0')) return home
  return { ...home, config: { ...config, rpc: { ...config.rpc, laddr: url.replace('http://', 'tcp://') } } }
}

/** The mismatch of two app hashes that a replay of the chain found. */
function isOtherHash(error: unknown): error is CodedError {
  return isCodedError(error, HANDSHAKE_ERRORS.appHashMismatch)
}

function shownHash(hash: unknown): string {
  const hex = String(hash)
  if (hex === '') return '(empty)'
  const text = Buffer.from(hex, 'hex').toString('latin1')
  return /^[\x20-\x7e]+$/.test(text) ? `${hex} (${JSON.stringify(text)})` : hex
}

/** Compares the hashes in two lines. */
function difference({ data }: CodedError): string {
  return `after block ${data.height} the application has another app hash than the chain:
         chain        ${shownHash(data.chainAppHash)}
         application  ${shownHash(data.appHash)}`
}

/** A node whose application can be replaced by a newer version of it, as often as its file changes. */
export function createAppNode(options: AppNodeOptions, modules: AppNodeModules): AppNode {
  const { context, report, load, onReady } = modules
  const { isWatched, appState } = options
  const stopping = new AbortController()
  const endListeners = new Set<() => void>()
  let { home } = options
  let node: Node | undefined
  let turn = Promise.resolve()
  let waiting: { isNewChain: boolean } | undefined
  let readyCount = 0

  async function stopNode(): Promise<void> {
    const running = node
    node = undefined
    await running?.stop()
  }

  function onHalt(error: CodedError): void {
    report.error(error)
    if (isWatched)
      report.line('The chain stands still; the RPC still answers. Waiting for a change of the application.')
    else for (const listener of endListeners) listener()
  }

  function printBlocks(started: Node): void {
    started.events()?.subscribe({
      subscriber: 'devnet',
      query: parseQuery("tm.event = 'NewBlock'"),
      onItem: ({ data }) => {
        if (data.type === 'NewBlock') report.block(data)
      },
    })
  }

  async function startNode(app: Application): Promise<void> {
    const { paths } = home
    await initHome(paths, { logger: noopLogger, random: context.random, now: context.clock.now(), appState })
    const locking = lockNode(home)
    const { createNode } = await import('../node/create-node.ts')
    node = createNode(home, {
      ...context,
      locking,
      application: { connection: { kind: 'local', app }, close: NO_CLOSE },
      observe: (connections) => observed(connections, report),
      onHalt,
    })
    const started = node
    started.onEnd(() => {
      for (const listener of endListeners) listener()
    })
    await started.start(stopping.signal)
    home = atAddress(home, started.rpcUrls()[0])
    printBlocks(started)
    onReady(started, readyCount === 0)
    readyCount++
  }

  /** Starts with this application. If its app hash is not the chain's, a new chain begins, with an application made again. */
  async function startWith(app: Application, isNewChain: boolean): Promise<void> {
    await stopNode()
    if (isNewChain) await resetDevnet(home)
    try {
      await startNode(app)
    } catch (error) {
      await stopNode()
      stopping.signal.throwIfAborted()
      if (!isOtherHash(error)) throw error
      if (isNewChain || !isWatched) throw otherHash(error)
      report.line(`A new chain begins: ${difference(error)}`)
      await startWith(await load(), true)
    }
  }

  async function restartNow(isNewChain: boolean): Promise<void> {
    let app: Application
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
      report.error(error)
      report.line('The chain stands still. Waiting for a change of the application.')
    }
  }

  return {
    start: async (signal) => {
      signal.addEventListener('abort', () => stopping.abort(signal.reason), { once: true })
      turn = isWatched ? restartNow(false) : load().then((app) => startWith(app, false))
      await turn
    },
    restart: (isNewChain) => {
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
    },
    stop: async () => {
      stopping.abort()
      await turn.catch(() => undefined)
      await stopNode()
    },
    onEnd: (listener) => void endListeners.add(listener),
  }
}

function otherHash(error: CodedError): AppError {
  const message = `${difference(error)}\nAnother version of the application made this chain. Start a new chain with --reset; with --watch this happens by itself.`
  return new AppError(APP_ERRORS.otherHash, message, { data: error.data, cause: error })
}
