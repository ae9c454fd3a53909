import { type Exploration, explore } from '@org/simnet/explorer'
import type { Job } from './pool.ts'
import { SEARCHES, type Search } from './searches.ts'

/**
 * Explores four validators at one height with every order of messages and timeouts. Returns true if every search has
 * its expected result.
 */
export function runExplore(rounds: number): boolean {
  console.log('rounds  faults                                          states  transitions  of one  states/s  outcome')
  let good = true
  for (const { name: _, about, expected, isLong: __, ...options } of SEARCHES) {
    if ((options.rounds ?? 2) > rounds) continue
    const begun = performance.now()
    const found = explore(options)
    const seconds = (performance.now() - begun) / 1000
    const outcome = outcomeOf(found)
    good &&= expected === 'broken' ? found.violation !== undefined : found.complete
    console.log(
      [
        String(options.rounds).padEnd(7),
        about.padEnd(46),
        String(found.states).padStart(7),
        String(found.transitions).padStart(12),
        String(found.localStates).padStart(7),
        String(Math.round(found.states / seconds)).padStart(9),
        ` ${outcome}${expected === 'broken' ? ', as expected' : ''}`,
      ].join(' '),
    )
    if (expected === 'safe') for (const line of found.violation?.trace ?? []) console.log(`  ${line}`)
  }
  return good
}

function outcomeOf({ violation, complete, decided }: Exploration): string {
  if (violation !== undefined) return violation.rule
  if (!complete) return 'stopped at the limit of states'
  return `complete, ${decided.size === 0 ? 'nothing decided' : `decided ${[...decided].sort().join(' or ')}`}`
}

export function searchJob(search: Search): Job {
  return { name: `explorer ${search.name}`, search }
}

/** Returns the job that runs a search, by its name such as `explorer one`; `undefined` if no search has this name. */
export function searchNamed(text: string): Job | undefined {
  const search = SEARCHES.find(({ name }) => text === `explorer ${name}`)
  return search && searchJob(search)
}
