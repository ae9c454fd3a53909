import { parentPort, workerData } from 'node:worker_threads'
import type { RunResult } from '@org/simnet'
import type { Mutant } from './mutant.ts'
import { plant } from './plant.ts'

/** What a worker is started with. */
export interface WorkerSetup {
  readonly mutant?: Mutant
}

/** One answer for each seed. */
export type Answer =
  | { readonly seed: number; readonly result: Omit<RunResult, 'tail'> }
  | { readonly seed: number; readonly error: string }

const { mutant } = workerData as WorkerSetup
if (mutant !== undefined) plant(mutant)
const { makeScenario, runScenario } = await import('@org/simnet')

async function run(seed: number): Promise<Answer> {
  try {
    const { tail: _, ...result } = await runScenario(makeScenario(seed))
    return { seed, result }
  } catch (error) {
    return { seed, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', (seed: number) => void run(seed).then((answer) => parentPort?.postMessage(answer)))
parentPort?.postMessage('ready')
