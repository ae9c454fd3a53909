import { Worker } from 'node:worker_threads'
import type { Answer, WorkerSetup } from './worker.ts'

export interface PoolOptions extends WorkerSetup {
  readonly workers: number
  /** A network that takes longer counts as an error: something in it never ends. */
  readonly timeoutMs: number
}

/**
 * Runs seeds in threads, each network on one. Calls `onAnswer` for each; when that says false, no more are begun. Resolves when all that
 * were begun have ended.
 */
export async function runSeeds(
  seeds: Iterator<number>,
  { workers, timeoutMs, ...setup }: PoolOptions,
  onAnswer: (answer: Answer) => boolean,
): Promise<void> {
  let goOn = true

  function work(): Promise<void> {
    return new Promise((resolve) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: setup })
      let current: number | undefined
      let timer: NodeJS.Timeout | undefined

      function end(): void {
        clearTimeout(timer)
        void worker.terminate().then(() => resolve())
      }
      function next(): void {
        clearTimeout(timer)
        const { value, done } = goOn ? seeds.next() : { value: undefined, done: true }
        if (done === true || value === undefined) {
          end()
          return
        }
        current = value
        timer = setTimeout(() => fail(`not over after ${timeoutMs / 1000} s`), timeoutMs)
        worker.postMessage(value)
      }
      function fail(error: string): void {
        clearTimeout(timer)
        if (current !== undefined && !onAnswer({ seed: current, error })) goOn = false
        // A thread that hangs or died is replaced.
        void worker.terminate().then(() => (goOn ? work().then(resolve) : resolve()))
      }
      worker.on('message', (message: Answer | 'ready') => {
        if (message !== 'ready' && !onAnswer(message)) goOn = false
        next()
      })
      worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)))
    })
  }

  await Promise.all(Array.from({ length: workers }, work))
}

export function* range(from: number, to: number): Generator<number> {
  for (let seed = from; seed <= to; seed++) yield seed
}
