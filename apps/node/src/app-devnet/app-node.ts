import type { Application } from '@org/abci'
import { createLifecycle, createListeners, messageOf } from '@org/runtime'
import type { CodedError } from '@org/runtime/errors'
import type { CommandContext } from '../context.ts'
import type { OpenedHome } from '../home/open-home.ts'
import type { Node } from '../node/create-node.ts'
import type { Runnable } from '../node/serve.ts'
import { appHashMismatch, appHashMismatchOfHome, isAppHashMismatch, newChainAdvice } from './app-hash-mismatch.ts'
import type { AppError } from './errors.ts'
import type { Report } from './report.ts'
import { createRestartableNode } from './restartable-node.ts'
import { createRestarts } from './restarts.ts'

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
   * Waits for the start of a node. `start` is the promise of the start. The returned promise settles as `start` does.
   * Exception: it rejects at once if the application is interrupted during the start. Default: the application is never
   * interrupted.
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
 * Creates a node that can start again with a new application, after a change of the application's file or after a
 * failure. The function is long because it contains the decision after each kind of failure.
 */
export function createAppNode(options: AppNodeOptions, modules: AppNodeModules): AppNode {
  const { context, report, load, onReady, guard = (start) => start } = modules
  const { kind } = options
  const life = createLifecycle({
    name: 'the devnet',
    start: (signal) => {
      const end = (): void => stopping.abort(signal.reason)
      if (signal.aborted) end()
      else signal.addEventListener('abort', end, { once: true })
      return restarts.lane(async () => (kind === 'watched' ? restartNow(false) : startWith(await load(), false)))
    },
    close: () => restarts.lane(node.stop),
  })
  /** Aborts when the devnet stops, or when the caller of `start` aborts the first start. */
  const stopping = new AbortController()
  const endListeners = createListeners()
  const node = createRestartableNode(options, {
    context,
    report,
    signal: stopping.signal,
    guard,
    onReady: (ready, isFirst) => {
      restarts.forgetFailures()
      onReady(ready, isFirst)
    },
    onHalt,
    onEnd: () => endListeners.call(),
    onApplicationLost: kind === 'remote' ? onApplicationLost : undefined,
  })
  const restarts = createRestarts(restartNow, { clock: context.clock, signal: stopping.signal })
  let lastFailure = ''

  function onHalt(error: CodedError): void {
    report.error(error)
    if (kind === 'remote') restarts.restartLater()
    else if (kind === 'watched') {
      report.line('The chain makes no more blocks; the RPC still answers. Waiting for a change of the application.')
    } else endListeners.call()
  }

  function onApplicationLost(): void {
    report.line('The connection to the application is lost. The chain waits until the application runs again.')
    restarts.restart(false)
  }

  /** Reports a failure, unless the previous failure had the same text. */
  function failed(error: unknown): void {
    const message = messageOf(error)
    if (message !== lastFailure) report.error(error)
    lastFailure = message
  }

  /**
   * Starts the node with this application. The start fails if the application and the chain have different app hashes.
   * After this failure, a new application is made, and a new chain begins.
   *
   * In five cases no new chain begins, and the promise rejects:
   * - The application has stored a state.
   * - The command `devnet` did not make the home.
   * - `isNewChain` is true.
   * - `kind` is `once`: a failure of the application ends the node.
   * - `kind` is `remote`, so the application is in another process, and the node has never been ready.
   */
  async function startWith(app: Application | undefined, isNewChain: boolean): Promise<void> {
    await node.stop()
    if (isNewChain) await node.removeChain()
    try {
      await node.start(app)
    } catch (error) {
      await node.stop()
      stopping.signal.throwIfAborted()
      if (!isAppHashMismatch(error)) throw error
      // The app hashes differ. An application with a stored state would keep its state in a new chain, and the app
      // hashes would differ again. So no new chain begins.
      if (node.appHeight() > 0) throw error
      if (!node.canRemoveChain()) throw appHashMismatchOfHome(error, options.home.config.home)
      if (isNewChain || kind === 'once' || (kind === 'remote' && !node.wasReady())) throw appHashMismatch(error)
      report.line(newChainAdvice(error))
      await startWith(await load(), true)
    }
  }

  async function restartNow(isNewChain: boolean): Promise<void> {
    let app: Application | undefined
    try {
      app = await load()
    } catch (error) {
      report.error(error)
      const stays = node.isRunning() ? 'The chain continues with the application as it was. ' : ''
      return report.line(`${stays}Waiting for a change of the application.`)
    }
    try {
      await startWith(app, isNewChain)
    } catch (error) {
      if (stopping.signal.aborted) return
      if (kind === 'remote') {
        failed(error)
        return restarts.restartLater()
      }
      report.error(error)
      report.line('The chain makes no more blocks. Waiting for a change of the application.')
    }
  }

  return {
    start: life.start,
    restart: restarts.restart,
    interrupted: (error) => {
      report.error(error)
      if (kind === 'once') return endListeners.call()
      report.line('The chain makes no more blocks. Waiting for a change of the application.')
      restarts.lane(node.stop).catch(report.error)
    },
    stop: life.stop,
    onEnd: endListeners.add,
  }
}
