import { Worker } from 'node:worker_threads'
import { createSystemClock, messageOf, type Timer } from '@org/runtime'
import { afterRunning } from './run-time.ts'
import type { Outcome, Work, WorkerSetup } from './worker.ts'

export interface PoolOptions extends WorkerSetup {
  readonly workers: number
  /** A network that takes longer, while this process runs, counts as an error: something in it never ends. */
  readonly timeoutMs: number
}

/** A network to run, or a search of the explorer, and a name for it. */
export type Job = { readonly name: string } & Work

/**
 * Runs networks in threads, each on one. Calls `onOutcome` for each; when that says false, no more are begun. Resolves when all that were
 * begun have ended.
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

/** The first thing that went wrong; `undefined` if nothing did. */
export function whatBroke(outcome: Outcome): string | undefined {
  if ('error' in outcome) return `error: ${outcome.error.split('\n')[0]}`
  const [first] = outcome.result.violations
  return first && `${first.rule}: ${first.detail}`
}
