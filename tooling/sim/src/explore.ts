import { type Exploration, type ExploreOptions, explore } from '@org/simnet/explorer'

interface Search extends ExploreOptions {
  readonly about: string
  /** What must come out: every state without a violation, or a violation. */
  readonly expected: 'safe' | 'broken'
}

const ONE_ROUND: readonly Search[] = [
  { about: 'all correct', rounds: 1, expected: 'safe' },
  { about: 'one says anything', rounds: 1, byzantine: [3], expected: 'safe' },
  { about: 'the proposer says anything', rounds: 1, byzantine: [0], expected: 'safe' },
  { about: 'its block is refused', rounds: 1, byzantine: [0], byzantineBlocks: ['bad'], expected: 'safe' },
  { about: 'two say anything', rounds: 1, byzantine: [0, 1], expected: 'broken' },
]

/** Takes some minutes, and 4 GB. */
const TWO_ROUNDS: readonly Search[] = [
  { about: 'one says nothing', rounds: 2, byzantine: [3], byzantineVotes: 0, expected: 'safe' },
]

/** Four validators, one height, every order of messages and timeouts. True if all is as it must be. */
export function runExplore(rounds: number): boolean {
  const searches = rounds > 1 ? TWO_ROUNDS : ONE_ROUND
  console.log('rounds  faults                        states  transitions  of one  states/s  outcome')
  let good = true
  for (const { about, expected, ...options } of searches) {
    const begun = performance.now()
    const found = explore(options)
    const seconds = (performance.now() - begun) / 1000
    const outcome = outcomeOf(found)
    good &&= expected === 'broken' ? found.violation !== undefined : found.complete
    console.log(
      [
        String(options.rounds).padEnd(7),
        about.padEnd(28),
        String(found.states).padStart(7),
        String(found.transitions).padStart(12),
        String(found.localStates).padStart(7),
        String(Math.round(found.states / seconds)).padStart(9),
        ` ${outcome}${expected === 'broken' ? ', as it must be' : ''}`,
      ].join(' '),
    )
    if (expected === 'safe') for (const line of found.violation?.trace ?? []) console.log(`  ${line}`)
  }
  return good
}

function outcomeOf({ violation, complete, decided }: Exploration): string {
  if (violation !== undefined) return violation.rule
  if (!complete) return 'given up'
  return `all seen, ${decided.size === 0 ? 'nothing decided' : `decided ${[...decided].sort().join(' or ')}`}`
}
