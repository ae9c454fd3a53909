import { availableParallelism } from 'node:os'
import { FOUND_BY } from './found-by.ts'
import { MUTANTS } from './planted.ts'
import { range, runSeeds } from './pool.ts'
import type { Answer } from './worker.ts'

/** A network with a bug in it may never end. */
const TIMEOUT_MS = 30_000
/** Seeds in which a bug is looked for when its own seed does not find it. */
const SEARCHED = 400

/** The seed that was first to show the bug, and how. */
export interface Finding {
  readonly seed: number
  readonly what: string
}

/** Plants a bug, and looks for it: first where it was found before. */
export async function findMutant(name: string, searched: number): Promise<Finding | undefined> {
  const mutant = MUTANTS.find((each) => each.name === name)
  if (mutant === undefined) throw new Error(`there is no mutant ${name}`)
  const known = FOUND_BY[name]
  const seeds = [...(known === undefined ? [] : [known]), ...range(1, searched)]
  let finding: Finding | undefined
  const take = (answer: Answer): boolean => {
    const what = 'error' in answer ? answer.error.split('\n')[0] : describe(answer)
    if (what === undefined) return true
    finding ??= { seed: answer.seed, what }
    return false
  }
  const workers = Math.min(availableParallelism(), seeds.length)
  await runSeeds(seeds.values(), { workers, timeoutMs: TIMEOUT_MS, mutant }, take)
  return finding
}

function describe(answer: Extract<Answer, { result: unknown }>): string | undefined {
  const [first] = answer.result.violations
  return first && `${first.rule}: ${first.detail}`
}

/** Every planted bug, or some. True if all are found. */
export async function runMutants(only: readonly string[] | undefined): Promise<boolean> {
  const missed: string[] = []
  for (const { name, about } of MUTANTS) {
    if (only !== undefined && !only.includes(name)) continue
    const finding = await findMutant(name, SEARCHED)
    if (finding === undefined) missed.push(name)
    const found =
      finding === undefined ? 'NOT FOUND' : `seed ${String(finding.seed).padStart(3)}  ${finding.what.slice(0, 110)}`
    console.log(`${name.padEnd(24)} ${found}\n${' '.repeat(25)}(${about})`)
  }
  console.log(missed.length === 0 ? 'all were found' : `not found: ${missed.join(', ')}`)
  return missed.length === 0
}
