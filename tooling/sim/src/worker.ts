import { parentPort, workerData } from 'node:worker_threads'
import type { RunResult, Scenario } from '@org/simnet'
import type { Mutant } from './mutant.ts'
import { plant } from './plant.ts'

/** What a worker is started with. */
export interface WorkerSetup {
  readonly mutant?: Mutant
}

/** What came of one network. */
export type Outcome = { readonly result: Omit<RunResult, 'tail'> } | { readonly error: string }

const { mutant } = (workerData ?? {}) as WorkerSetup
if (mutant !== undefined) plant(mutant)
const { runScenario } = await import('@org/simnet')

async function run(scenario: Scenario): Promise<Outcome> {
  try {
    const { tail: _, ...result } = await runScenario(scenario)
    return { result }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', (scenario: Scenario) => {
  void run(scenario).then((outcome) => parentPort?.postMessage(outcome))
})
parentPort?.postMessage('ready')
