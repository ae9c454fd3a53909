import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { type Clock, repeat } from '@org/runtime'
import { APP_ERRORS, AppError } from './errors.ts'
import { type Frame, watchThread } from './watchdog-thread.ts'

/**
 * Code of the application that runs longer than this number of seconds is interrupted. A small application executes
 * every block in less time.
 */
const LIMIT_SECONDS = 10
const BEAT_MS = 500

export interface Watchdog {
  /**
   * Settles as `work` does. If the application is interrupted before `work` settles, rejects with the error of the
   * interruption.
   */
  readonly guard: <T>(work: Promise<T>) => Promise<T>
  readonly close: () => void
}

export interface WatchdogModules {
  readonly clock: Clock
  /**
   * Called with an error when the watchdog has interrupted code of the application, if no promise that `guard` returned
   * is pending. If some of these promises are pending, they reject with the error, and this function is not called.
   */
  readonly onInterrupted: (error: AppError) => void
}

function endlessError(frames: readonly Frame[]): AppError {
  const message = `the application ran for ${LIMIT_SECONDS} s without an end, and was interrupted. It has a loop that does not end, or one step that takes too long`
  const error = new AppError(APP_ERRORS.endless, message)
  // The function `createReport` prints the places in the application's code that are in the stack of an error. So
  // `error` gets the call stack of the interrupted code as its stack. The user then sees which code did not end.
  error.stack = frames.map(({ name, place }) => `    at ${name} (${place})`).join('\n')
  return error
}

/**
 * Interrupts code of the application that runs without an end. Such code would block the whole process, which would
 * then also ignore Ctrl-C and changes of the file. A second thread notices such code, and interrupts it with the
 * debugger. No code is interrupted while a person debugs the process.
 */
export function createWatchdog({ clock, onInterrupted }: WatchdogModules): Watchdog {
  const pending = new Set<(error: AppError) => void>()
  const end = new AbortController()
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const text = `(${watchThread})(require('node:worker_threads'), require('node:inspector'))`
  const workerData = { beats, limitSeconds: LIMIT_SECONDS }
  const thread = new Worker(text, { eval: true, workerData, execArgv: [] })
  thread.unref()
  repeat(clock, {
    everyMs: BEAT_MS,
    signal: end.signal,
    run: () => {
      if (inspector.url() === undefined) Atomics.add(beats, 0, 1)
      // A person debugs the process. The negative number in `beats` switches the watchdog thread off.
      else Atomics.store(beats, 0, -1)
    },
  })
  thread.on('message', (frames: readonly Frame[]) => {
    const error = endlessError(frames)
    const rejects = [...pending]
    pending.clear()
    for (const reject of rejects) reject(error)
    if (rejects.length === 0) onInterrupted(error)
  })
  return {
    guard: (work) =>
      new Promise((resolve, reject) => {
        pending.add(reject)
        const settled = (): void => void pending.delete(reject)
        work.finally(settled).then(resolve, reject)
      }),
    close: () => {
      end.abort()
      void thread.terminate()
    },
  }
}
