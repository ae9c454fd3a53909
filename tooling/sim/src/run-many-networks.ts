import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import { type Job, runJobs } from './pool.ts'
import { createProgress } from './progress.ts'
import { digestOfSources } from './sources.ts'
import { addOutcome, describeTotals, NO_TOTALS } from './totals.ts'

const TIMEOUT_MS = 120_000
const SAVE_EVERY_MS = 2000
const FORMAT =
  '{bar} {percentage}% | {value}/{total} networks | {heights} heights | {failures} failed | {eta_formatted} left'

export interface ManyOptions {
  /** The name of the file with the progress. The file is kept until all jobs are done. */
  readonly name: string
  readonly fresh: boolean
  /** The number of worker processes. Default: one for each core. */
  readonly workers?: number | undefined
}

/**
 * Runs many networks and prints the results. If an earlier run with the same source code was interrupted, continues
 * this run. Returns true if no invariant was violated.
 */
export async function runMany(
  jobs: readonly Job[],
  { name, fresh, workers = availableParallelism() }: ManyOptions,
): Promise<boolean> {
  const progress = createProgress(join('.halley', 'sim', `${name}.json`), digestOfSources())
  const { names, totals, note } = fresh ? { names: [], totals: structuredClone(NO_TOTALS) } : progress.load()
  if (note !== undefined) console.log(note)
  if (names.length > 0) console.log(`${names.length} of ${jobs.length} networks were done in an earlier run`)
  const known = new Set(names)
  const remainingJobs = jobs.filter((job) => !known.has(job.name))
  const bar = new SingleBar({ format: FORMAT }, Presets.shades_classic)
  const shown = (): object => ({ heights: totals.heights, failures: totals.failures.length })
  let savedAt = performance.now()
  bar.start(jobs.length, known.size, shown())
  await runJobs(
    remainingJobs.values(),
    { workers: Math.min(workers, remainingJobs.length), timeoutMs: TIMEOUT_MS },
    (job, outcome) => {
      known.add(job.name)
      addOutcome(totals, job, outcome)
      bar.update(known.size, shown())
      if (performance.now() - savedAt > SAVE_EVERY_MS) {
        progress.save({ names: [...known], totals })
        savedAt = performance.now()
      }
      return true
    },
  )
  progress.remove()
  bar.stop()
  console.log(describeTotals(totals))
  return totals.failures.length === 0
}
