import { type AbciConnections, type Application, type ConnectionName, createConnections, METHOD_NAMES } from '@org/abci'
import { type Clock, createLifecycle, type Logger, messageOf, withTimeLimit } from '@org/runtime'
import { isCodedError } from '@org/runtime/errors'
import { ABCI_VERSION } from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { DEVNET_ERRORS, DevnetError } from '../errors.ts'
import type { ChainTarget } from './applications.ts'
import { type RememberedState, readNewestSnapshot, restoreSnapshot } from './remembered-state.ts'

export interface RemoteApplicationOptions {
  /** The address of the application, such as `tcp://127.0.0.1:26658`. */
  readonly address: string
  readonly transport: 'socket' | 'grpc'
  /** The real milliseconds within which an application that was started again must answer. */
  readonly startWithinMs: number
}

export interface RemoteApplicationModules {
  readonly clock: Clock
  readonly logger: Logger
  /** Starts the process of the application again, with its first state; `undefined` if this is not possible. */
  readonly restart: (() => Promise<void>) | undefined
  /** Called when the connection to the application was lost and the application answers again. */
  readonly onReturn: () => void
}

/** An application in another process, which one validator uses. */
export interface RemoteApplication {
  /** Passes each call to the application, on the connection that is open at the time of the call. */
  readonly application: Application
  readonly connect: () => Promise<void>
  /** Resolves with the height of the application; `undefined` if it does not answer. */
  readonly height: () => Promise<number | undefined>
  readonly remember: (
    appHashOf: (height: number) => Uint8Array | undefined,
    last: RememberedState | undefined,
  ) => Promise<RememberedState | undefined>
  /**
   * Finds out how this application can reach a state from which it can execute the blocks after `target`. The parameter
   * `target` is the moment of the chain at which the validators will start. The parameter `remembered` is the snapshot
   * that the devnet read from this application when the devnet saved this moment. {@link Applications.wayTo} calls this
   * function for all applications.
   */
  readonly wayTo: (target: ChainTarget, remembered: RememberedState | undefined) => Promise<() => Promise<void>>
  readonly close: () => Promise<void>
}

type Method = (request: unknown) => Promise<unknown>

/** The connection on which each method is sent. Methods without an entry use the consensus connection. */
const CONNECTIONS: Readonly<Record<string, ConnectionName>> = {
  info: 'query',
  query: 'query',
  checkTx: 'mempool',
  listSnapshots: 'snapshot',
  offerSnapshot: 'snapshot',
  loadSnapshotChunk: 'snapshot',
  applySnapshotChunk: 'snapshot',
}
/** The real milliseconds between two attempts to reach an application that does not answer. */
const CHECK_INTERVAL_MS = 100
const REQUEST = { version: '', blockVersion: 0n, p2pVersion: 0n, abciVersion: ABCI_VERSION } as const

function forwarded(connections: () => AbciConnections): Application {
  const methods: Record<string, Method> = {}
  for (const method of METHOD_NAMES) {
    const name = CONNECTIONS[method] ?? 'consensus'
    methods[method] = (request) => (connections()[name][method] as Method)(request)
  }
  return methods as unknown as Application
}

const tooLate = (): DevnetError => new DevnetError(DEVNET_ERRORS.appRestart, 'the application did not start in time')

/** An application in another process. The function is long because it contains all ways back to an earlier state. */
export function createRemoteApplication(
  { address, transport, startWithinMs }: RemoteApplicationOptions,
  { clock, logger, restart, onReturn }: RemoteApplicationModules,
): RemoteApplication {
  const life = createLifecycle({ name: `the application at ${address}`, stop: () => connections.stop() })
  const { signal } = life
  /** True while the devnet itself starts the application again. */
  let isRestarting = false
  let connections = open()

  function open(): AbciConnections {
    const opened = createConnections({ kind: transport, address }, { clock, logger })
    opened.onError(() => life.run(() => lost(opened)), signal)
    return opened
  }

  async function lost(from: AbciConnections): Promise<void> {
    if (from !== connections || isRestarting || signal.aborted) return
    logger.error('The connection to the application is lost; the chain waits until the application runs again', {
      address,
    })
    try {
      await reconnect(signal)
      logger.info('The application runs again', { address })
      onReturn()
    } catch (error) {
      if (!signal.aborted) logger.error('The application cannot be reached', { address, err: messageOf(error) })
    }
  }

  async function reconnect(until: AbortSignal): Promise<void> {
    const before = connections
    connections = open()
    await before.stop()
    await connections.start(until)
  }

  /** Returns the height of the application, as soon as it answers; `undefined` if it does not answer in time. */
  async function heightWithin(ms: number): Promise<number | undefined> {
    const end = clock.monotonic() + ms
    for (;;) {
      const found = await height()
      if (found !== undefined || clock.monotonic() >= end) return found
      await clock.sleep(CHECK_INTERVAL_MS, signal)
    }
  }

  /** The height of the application; `undefined` if it does not answer. */
  async function height(): Promise<number | undefined> {
    try {
      return (await connections.query.info(REQUEST)).lastBlockHeight
    } catch {
      return undefined
    }
  }

  function cannot(why: string): DevnetError {
    const message = `the application at ${address} cannot go back: ${why}. Start the devnet with --app-restart and a command that starts the application again with its first state, or stop the application, repeat this call, and start the application with no data within ${startWithinMs / 1000} s`
    return new DevnetError(DEVNET_ERRORS.appCannotGoBack, message)
  }

  async function restore(remembered: RememberedState): Promise<void> {
    await restoreSnapshot(connections.snapshot, remembered)
    const info = await connections.query.info(REQUEST)
    if (info.lastBlockHeight === remembered.snapshot.height && equalBytes(info.lastBlockAppHash, remembered.appHash))
      return
    throw cannot(
      `it restored a snapshot of height ${remembered.snapshot.height}, but now reports height ${info.lastBlockHeight} or a wrong app hash`,
    )
  }

  /** Starts the application again. It must then have a state from which it can follow the chain. */
  async function startAgain(target: ChainTarget, remembered: RememberedState | undefined): Promise<void> {
    isRestarting = true
    try {
      await restart?.()
      await withTimeLimit({ clock, ms: startWithinMs, late: tooLate, signal }, reconnect).catch((cause: unknown) => {
        const message = `the application at ${address} did not answer within ${startWithinMs / 1000} s after the command of --app-restart: ${messageOf(cause)}`
        throw new DevnetError(DEVNET_ERRORS.appRestart, message, { cause })
      })
    } finally {
      isRestarting = false
    }
    const reached = await height()
    if (reached !== undefined && target.canContinueFrom(reached)) return
    if (remembered !== undefined) return restore(remembered)
    throw cannot(
      `after the command of --app-restart ${reached === undefined ? 'it does not answer' : `it has height ${reached}, from which the chain cannot continue`}`,
    )
  }

  return {
    application: forwarded(() => connections),
    connect: () => connections.start(signal),
    height,
    remember: (appHashOf, last) => readNewestSnapshot(connections.snapshot, appHashOf, last),
    wayTo: async (target, remembered) => {
      // The function `restart` starts the application again with its first state. Without `restart`, only an operator
      // can do this. The operator may have stopped the application for this purpose. So the devnet waits until the
      // application answers.
      const now = await heightWithin(restart === undefined ? startWithinMs : 0)
      if (now !== undefined && target.canContinueFrom(now)) return async () => undefined
      if (remembered === undefined || now === undefined) {
        if (restart !== undefined) return () => startAgain(target, remembered)
        const state = now === undefined ? 'it does not answer' : `it has height ${now}`
        throw cannot(`${state}, and it has no snapshot of height ${target.height} or before`)
      }
      return async () => {
        try {
          await restore(remembered)
        } catch (error) {
          if (isCodedError(error, DEVNET_ERRORS.appCannotGoBack)) throw error
          if (restart === undefined) throw cannot(messageOf(error))
          await startAgain(target, remembered)
        }
      }
    },
    close: life.stop,
  }
}
