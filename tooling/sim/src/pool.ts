import { createSystemClock } from '@org/runtime'
import { afterRunning } from './run-time.ts'
import type { Outcome, Work, WorkerSetup } from './worker.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'

export interface PoolOptions extends WorkerSetup {
  readonly workers: number
  /**
   * The time limit of a job, in milliseconds. The time counts only while the process that owns this pool runs, and not
   * while the machine sleeps or the process is stopped. A job that takes longer counts as an error, because it may
   * never end.
   */
  readonly timeoutMs: number
}

/** A job with its name: a network to run, a search of simnet's explorer, or an attack on a light client. */
export type Job = { readonly name: string } & Work

const clock = createSystemClock()

/** Runs a job. If the job takes longer than the time limit `timeoutMs`, the outcome is an error. */
function runWithin(worker: WorkerProcess, timeoutMs: number, job: Job): Promise<Outcome> {
  return new Promise((resolve) => {
    const error = `the run did not end within ${timeoutMs / 1000} s`
    const timer = afterRunning(timeoutMs, clock, () => resolve({ error }))
    void worker.run(job).then((outcome) => {
      timer.cancel()
      resolve(outcome)
    })
  })
}

/**
 * Runs jobs in worker processes. Each process runs one job at a time. Calls `onOutcome` after each job; if `onOutcome`
 * returns false, no further jobs begin. Resolves when all started jobs have ended.
 */
export async function runJobs(
  jobs: Iterator<Job>,
  { workers, timeoutMs, ...setup }: PoolOptions,
  onOutcome: (job: Job, outcome: Outcome) => boolean,
): Promise<void> {
  let goOn = true

  function nextJob(): Job | undefined {
    const { value, done } = goOn ? jobs.next() : { value: undefined, done: true }
    return done === true ? undefined : value
  }
  async function work(): Promise<void> {
    let worker: WorkerProcess | undefined
    for (let job = nextJob(); job !== undefined; job = nextJob()) {
      worker ??= await startWorkerProcess(setup)
      const outcome = await runWithin(worker, timeoutMs, job)
      if (!onOutcome(job, outcome)) goOn = false
      if (!('error' in outcome)) continue
      // The process may hang, or may have ended, so the next job gets a new process.
      await worker.stop()
      worker = undefined
    }
    await worker?.stop()
  }

  await Promise.all(Array.from({ length: workers }, work))
}

export function* range(from: number, to: number): Generator<number> {
  for (let seed = from; seed <= to; seed++) yield seed
}

export const isBroken = (outcome: Outcome): boolean => 'error' in outcome || outcome.result.violations.length > 0

/** Returns the first violation or error, or `undefined` if there is none. */
export function whatBroke(outcome: Outcome): string | undefined {
  if ('error' in outcome) return `error: ${outcome.error.split('\n')[0]}`
  const [first] = outcome.result.violations
  return first && `${first.rule}: ${first.detail}`
}
