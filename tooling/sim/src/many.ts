import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import { range, runSeeds } from './pool.ts'
import { addAnswer, describeTotals, NO_TOTALS, type Totals } from './totals.ts'

const TIMEOUT_MS = 120_000
const SAVE_EVERY_MS = 2000

interface Saved {
  readonly done: number[]
  readonly totals: Totals
}

/** What an interrupted run of the same seeds left; empty at first. */
function load(file: string): Saved {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Saved
  } catch {
    return { done: [], totals: structuredClone(NO_TOTALS) }
  }
}

/** Runs a range of seeds, goes on where an interrupted run of it stopped, and says what came of them. True if no rule was broken. */
export async function runMany(from: number, to: number, options: { readonly fresh: boolean }): Promise<boolean> {
  const folder = join('.halley', 'sim')
  const file = join(folder, `${from}-${to}.json`)
  const { done, totals } = options.fresh ? { done: [], totals: structuredClone(NO_TOTALS) } : load(file)
  const known = new Set(done)
  const left = [...range(from, to)].filter((seed) => !known.has(seed))
  const bar = new SingleBar(
    {
      format:
        '{bar} {percentage}% | {value}/{total} networks | {heights} heights | {failures} failed | {eta_formatted} left',
      noTTYOutput: false,
    },
    Presets.shades_classic,
  )
  const shown = (): object => ({ heights: totals.heights, failures: totals.failures.length })
  const save = (): void => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, JSON.stringify({ done: [...known], totals }))
  }
  let savedAt = performance.now()
  bar.start(to - from + 1, known.size, shown())
  await runSeeds(left.values(), { workers: availableParallelism(), timeoutMs: TIMEOUT_MS }, (answer) => {
    known.add(answer.seed)
    addAnswer(totals, answer)
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
