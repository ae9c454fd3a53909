import type { RunResult } from '@org/simnet'
import type { ExploreOptions } from '@org/simnet/explorer'
import type { LightJob } from './light-attacks.ts'
import { plantBug } from './plant-bug.ts'
import type { PlantedBug } from './planted-bug.ts'
import type { NetworkJob } from './run-network.ts'

/** The first message to a worker process. Each later message is a job. */
export interface WorkerSetup {
  readonly mutant?: PlantedBug
}

export type Work = NetworkJob | { readonly search: ExploreOptions } | LightJob

/** The outcome of one job: its result, or the error with which it ended. */
export type Outcome = { readonly result: Omit<RunResult, 'tail'> } | { readonly error: string }

const send = (message: Outcome | 'ready'): void => void process.send?.(message)

async function run(job: NetworkJob): Promise<Outcome> {
  try {
    const { runNetwork } = await import('./run-network.ts')
    const { tail: _, ...result } = await runNetwork(job)
    return { result }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

const NOTHING = { seed: 0, digest: '', heights: 0, virtualMs: 0, restarts: 0, counts: {}, happened: 0 }

/**
 * Runs a search of simnet's explorer. Returns the outcome with the same members as the outcome of a simulated network.
 */
async function search(options: ExploreOptions): Promise<Outcome> {
  try {
    const { explore } = await import('@org/simnet/explorer')
    const { violation, states } = explore(options)
    const violations = violation === undefined ? [] : [{ rule: 'explorer', detail: violation.rule, atMs: 0 }]
    return { result: { ...NOTHING, happened: states, violations } }
  } catch (error) {
    return { error: String(error) }
  }
}

/**
 * Runs an attack on a light client. Returns the outcome with the same members as the outcome of a simulated network.
 */
async function attack(job: LightJob): Promise<Outcome> {
  try {
    const { runLightAttack } = await import('./light-attacks.ts')
    return { result: { ...NOTHING, violations: await runLightAttack(job) } }
  } catch (error) {
    return { error: String(error) }
  }
}

function outcomeOf(work: Work): Promise<Outcome> {
  if ('scenario' in work) return run(work)
  return 'search' in work ? search(work.search) : attack(work)
}

async function setUp({ mutant }: WorkerSetup): Promise<void> {
  if (mutant !== undefined) plantBug(mutant)
  // The code is loaded before the first job, so that the time limit of a job does not include the loading.
  await import('./run-network.ts')
  process.on('message', (work: Work) => {
    void outcomeOf(work).then(send)
  })
  send('ready')
}

process.once('disconnect', () => process.exit())
process.once('message', setUp)
