import { Worker } from 'node:worker_threads'
import { createSystemClock, messageOf, type Timer } from '@org/runtime'
import { afterRunning } from './run-time.ts'
import type { Outcome, Work, WorkerSetup } from './worker.ts'

export interface PoolOptions extends WorkerSetup {
  readonly workers: number
  /**
   * The limit for a network in milliseconds of this process's running time. A longer run counts as an error, because
   * it may never end.
   */
  readonly timeoutMs: number
}

/** A named task: a network to run, a search of the explorer, or an attack on a light client. */
export type Job = { readonly name: string } & Work

/**
 * Runs networks in threads, one at a time in each. Calls `onOutcome` for each network; if that returns false, no
 * further ones begin. Resolves when all begun networks have ended.
 */
export async function runJobs(
  jobs: Iterator<Job>,
  { workers, timeoutMs, ...setup }: PoolOptions,
  onOutcome: (job: Job, outcome: Outcome) => boolean,
): Promise<void> {
  const clock = createSystemClock()
  let goOn = true

  function work(): Promise<void> {
    return new Promise((resolve) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: setup })
      let current: Job | undefined
      let timer: Timer | undefined

      function next(): void {
        timer?.cancel()
        const { value, done } = goOn ? jobs.next() : { value: undefined, done: true }
        if (done === true || value === undefined) {
          void worker.terminate().then(() => resolve())
          return
        }
        current = value
        timer = afterRunning(timeoutMs, clock, () => fail(`not over after ${timeoutMs / 1000} s`))
        worker.postMessage(value)
      }
      function fail(error: string): void {
        timer?.cancel()
        if (current === undefined || !onOutcome(current, { error })) goOn = false
        // A thread that hangs or died is replaced.
        void worker.terminate().then(() => (goOn ? work().then(resolve) : resolve()))
      }
      worker.on('message', (message: Outcome | 'ready') => {
        if (message !== 'ready' && current !== undefined && !onOutcome(current, message)) goOn = false
        next()
      })
      worker.on('error', (error) => {
        if (current === undefined) console.error(error)
        fail(messageOf(error))
      })
    })
  }

  await Promise.all(Array.from({ length: workers }, work))
}

export function* range(from: number, to: number): Generator<number> {
  for (let seed = from; seed <= to; seed++) yield seed
}

export const isBroken = (outcome: Outcome): boolean => 'error' in outcome || outcome.result.violations.length > 0

/** The first violation or error; `undefined` if there is none. */
export function whatBroke(outcome: Outcome): string | undefined {
  if ('error' in outcome) return `error: ${outcome.error.split('\n')[0]}`
  const [first] = outcome.result.violations
  return first && `${first.rule}: ${first.detail}`
}
