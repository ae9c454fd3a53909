import { type Clock, type Logger, repeat } from '@org/runtime'

/** Reports each system signal that asks the process to end, such as SIGTERM, until the `AbortSignal` aborts. */
export type SignalSource = (listener: (name: string) => void, signal: AbortSignal) => void

/** A program that runs until it is stopped or fails. */
export interface Runnable {
  /** Starts the program, and resolves when it runs. Rejects with the signal's reason if the signal aborts. */
  readonly start: (signal: AbortSignal) => Promise<void>
  /** Stops the program. May also be called after `start` has failed. */
  readonly stop: () => Promise<void>
  /** Calls `listener` once when the program cannot continue and the process should end. */
  readonly onEnd: (listener: () => void, signal?: AbortSignal) => void
}

export interface ServeModules {
  readonly clock: Clock
  readonly logger: Logger
  readonly signals: SignalSource
}

/**
 * The maximum time for a stop. After this time the process ends, even if the stop is not complete. This is safe,
 * because the databases are consistent at every moment.
 */
const STOP_DEADLINE_MS = 5_000
const NAMES: Readonly<Record<string, string>> = { SIGINT: 'interrupt', SIGTERM: 'terminated', SIGHUP: 'hangup' }

/** Stops the program. Returns true if everything stopped in time and without an error. */
async function stopInTime(runnable: Runnable, { clock, logger }: ServeModules): Promise<boolean> {
  const deadline = new AbortController()
  const late = clock.sleep(STOP_DEADLINE_MS, deadline.signal).then(
    () => {
      logger.error('The node did not stop within the time limit; the process ends now', {
        seconds: STOP_DEADLINE_MS / 1000,
      })
      return false
    },
    () => false,
  )
  const stopped = runnable.stop().then(
    () => true,
    (err: unknown) => {
      logger.error('unable to stop the node', { err })
      return false
    },
  )
  const isClean = await Promise.race([stopped, late])
  deadline.abort()
  return isClean
}

/** The interval of the timer that keeps the process alive. */
const HOUR_MS = 3_600_000

/**
 * Runs the program until a signal comes or the program cannot continue. After a second signal the process ends at once.
 * If a signal ends the program, the exit code is 0, as in the reference. If a failure ends the program, the exit code
 * is 1, so that a supervisor restarts the program; the exit code of the reference is 0 in this case. Rejects if the
 * program does not start.
 */
export async function serve(runnable: Runnable, modules: ServeModules): Promise<number> {
  const { clock, logger, signals } = modules
  const asked = new AbortController()
  let hurry: () => void = () => undefined
  const hurried = new Promise<boolean>((resolve) => {
    hurry = () => resolve(false)
  })
  const ending = new Promise<void>((resolve) => {
    asked.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const served = new AbortController()
  signals((name) => {
    if (asked.signal.aborted) return hurry()
    logger.info('signal trapped', { msg: `captured ${NAMES[name] ?? name}, exiting...` })
    asked.abort()
  }, served.signal)
  let code = 0
  runnable.onEnd(() => {
    // The program was already asked to stop, so its end is not a failure.
    if (asked.signal.aborted) return
    code = 1
    asked.abort()
  }, served.signal)
  // The timer keeps the process alive. A wait for an application over gRPC would not keep it alive.
  repeat(clock, { everyMs: HOUR_MS, run: () => undefined, signal: served.signal })
  try {
    await Promise.race([runnable.start(asked.signal), ending.then(() => clock.sleep(STOP_DEADLINE_MS))])
    await ending
  } catch (error) {
    if (!asked.signal.aborted) throw error
  } finally {
    const isClean = await Promise.race([stopInTime(runnable, modules), hurried])
    // Without this log line, the log would not show whether the node stopped regularly or was killed.
    if (isClean && code === 0 && asked.signal.aborted)
      logger.info('Stopped; all data is written and all files are closed')
    served.abort()
  }
  if (code !== 0) logger.error('The node stopped because of the failure above; start it again', { code })
  return code
}
