import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@org/runtime'
import type { Outcome, Work, WorkerSetup } from './worker.ts'

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** A worker process, which runs one job at a time. */
export interface WorkerProcess {
  /**
   * Resolves with the outcome of a job. If the process ends before the job has ended, the outcome is an error that says
   * how the process ended.
   */
  readonly run: (work: Work) => Promise<Outcome>
  /** Kills the process. Resolves when the process has ended. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a worker process. Resolves when the process has loaded its code, or has ended.
 *
 * The worker is a process and not a thread, because a process can be killed at any point of its work. Node.js sometimes
 * ended with a segmentation fault when a busy thread was terminated.
 */
export function startWorkerProcess(setup: WorkerSetup): Promise<WorkerProcess> {
  return new Promise((resolve) => {
    // Messages with the serialization `advanced` keep bytes, `bigint` and `undefined`. JSON, the default, does not.
    const child = fork(WORKER, { execArgv: [], serialization: 'advanced' })
    const end = new Promise<string>((resolveEnd) => {
      child.once('exit', (code, signal) => resolveEnd(`the worker process ended with ${signal ?? `exit code ${code}`}`))
      child.on('error', (error) => resolveEnd(messageOf(error)))
    })
    const kill = (): void => void child.kill('SIGKILL')
    process.once('exit', kill)

    let onOutcome: ((outcome: Outcome) => void) | undefined
    let failure: Outcome | undefined
    const worker: WorkerProcess = {
      run: async (work) => {
        if (failure !== undefined) return failure
        return new Promise((resolveRun) => {
          onOutcome = resolveRun
          child.send(work, () => undefined)
        })
      },
      stop: async () => {
        kill()
        await end
      },
    }
    child.on('message', (message: Outcome | 'ready') => {
      if (message === 'ready') resolve(worker)
      else onOutcome?.(message)
    })
    void end.then((error) => {
      process.off('exit', kill)
      failure = { error }
      onOutcome?.(failure)
      resolve(worker)
    })
    child.send(setup, () => undefined)
  })
}
