import { availableParallelism } from 'node:os'
import { makeScenario } from '@org/simnet'
import { checkNames } from './command.ts'
import { searchJob, searchNamed } from './explore.ts'
import { FOUND_BY } from './found-by.ts'
import { lightJobNamed, lightJobs } from './light-attacks.ts'
import { chosenJobs, jobNamed, joinJob, shortCrashes } from './named.ts'
import { PLANTED_BUGS } from './planted/index.ts'
import { type Job, range, runJobs, whatBroke } from './pool.ts'
import { SEARCHES } from './searches.ts'

/** The time limit of a network, because a network with a bug may never end. */
const TIMEOUT_MS = 120_000
/** The first network that showed the bug, and the violation of an invariant in it. */
export interface Finding {
  readonly name: string
  readonly what: string
}

/**
 * Plants a bug and looks for it. Tries first the run that `FOUND_BY` lists for the bug. If this run does not find the
 * bug, tries further runs in this order: the searches of simnet's explorer, networks that are made from seeds, the
 * attacks on light clients, the networks that were chosen by hand, the crashes, and networks that a node joins. The
 * parameter `searched` is the number of networks that are made from seeds. The number of networks that a node joins is
 * the same. If `searched` is 0, tries only the first run.
 */
export async function findPlantedBug(name: string, searched: number): Promise<Finding | undefined> {
  const mutant = PLANTED_BUGS.find((each) => each.name === name)
  if (mutant === undefined) throw new Error(`there is no mutant ${name}`)
  const finder = FOUND_BY[name] ?? ''
  const known = jobNamed(finder) ?? searchNamed(finder) ?? lightJobNamed(finder)
  const jobs: Job[] = known === undefined ? [] : [known]
  if (searched > 0) {
    jobs.push(...SEARCHES.filter(({ expected, isLong }) => expected === 'safe' && isLong !== true).map(searchJob))
    for (const seed of range(1, searched)) jobs.push({ name: `seed ${seed}`, scenario: makeScenario(seed) })
    jobs.push(...lightJobs(), ...chosenJobs(), ...(await shortCrashes()))
    jobs.push(...[...range(1, searched)].map(joinJob))
  }
  let finding: Finding | undefined
  const workers = Math.min(availableParallelism(), jobs.length)
  await runJobs(jobs.values(), { workers, timeoutMs: TIMEOUT_MS, mutant }, (job, outcome) => {
    const what = whatBroke(outcome)
    if (what !== undefined) finding ??= { name: job.name, what }
    return finding === undefined
  })
  return finding
}

export interface PlantedBugsOptions {
  /** The names of the bugs to plant. Without this list, all bugs are planted. */
  readonly only: readonly string[] | undefined
  /** The number of seeds to try if the run in `FOUND_BY` does not find the bug. */
  readonly searched: number
}

/** Plants every bug, or only the named bugs, one after the other. Returns true if all of them are found. */
export async function findPlantedBugs({ only, searched }: PlantedBugsOptions): Promise<boolean> {
  checkNames(
    only ?? [],
    PLANTED_BUGS.map(({ name }) => name),
  )
  const missed: string[] = []
  for (const { name, about } of PLANTED_BUGS) {
    if (only !== undefined && !only.includes(name)) continue
    const finding = await findPlantedBug(name, searched)
    if (finding === undefined) missed.push(name)
    const found = finding === undefined ? 'NOT FOUND' : `${finding.name.padEnd(22)} ${finding.what.slice(0, 110)}`
    console.log(`${name.padEnd(24)} ${found}\n${' '.repeat(25)}(${about})`)
  }
  console.log(missed.length === 0 ? 'all were found' : `not found: ${missed.join(', ')}`)
  return missed.length === 0
}
