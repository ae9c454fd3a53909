import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import { type Job, runJobs } from './pool.ts'
import { addOutcome, describeTotals, NO_TOTALS, type Totals } from './totals.ts'

const TIMEOUT_MS = 120_000
const SAVE_EVERY_MS = 2000
const FORMAT =
  '{bar} {percentage}% | {value}/{total} networks | {heights} heights | {failures} failed | {eta_formatted} left'

interface Saved {
  readonly done: string[]
  readonly totals: Totals
}

const nothingSaved = (): Saved => ({ done: [], totals: structuredClone(NO_TOTALS) })

/** What an interrupted run left; empty at first. */
function load(file: string): Saved {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Saved
  } catch {
    return nothingSaved()
  }
}

export interface ManyOptions {
  /** Where the progress of an interrupted run is kept. */
  readonly name: string
  readonly fresh: boolean
  /** Default: one a core. */
  readonly workers?: number | undefined
}

/** Runs many networks, goes on where an interrupted run stopped, and says what came of them. True if no rule was broken. */
export async function runMany(
  jobs: readonly Job[],
  { name, fresh, workers = availableParallelism() }: ManyOptions,
): Promise<boolean> {
  const folder = join('.halley', 'sim')
  const file = join(folder, `${name}.json`)
  const { done, totals } = fresh ? nothingSaved() : load(file)
  const known = new Set(done)
  const left = jobs.filter((job) => !known.has(job.name))
  const bar = new SingleBar({ format: FORMAT }, Presets.shades_classic)
  const shown = (): object => ({ heights: totals.heights, failures: totals.failures.length })
  const save = (): void => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, JSON.stringify({ done: [...known], totals }))
  }
  let savedAt = performance.now()
  bar.start(jobs.length, known.size, shown())
  await runJobs(left.values(), { workers, timeoutMs: TIMEOUT_MS }, (job, outcome) => {
    known.add(job.name)
    addOutcome(totals, job, outcome)
    bar.update(known.size, shown())
    if (performance.now() - savedAt > SAVE_EVERY_MS) {
      save()
      savedAt = performance.now()
    }
    return true
  })
  save()
  bar.stop()
  console.log(describeTotals(totals))
  return totals.failures.length === 0
}
