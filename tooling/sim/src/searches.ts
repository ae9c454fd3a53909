import type { ExploreOptions } from '@org/simnet/explorer'

export interface Search extends ExploreOptions {
  readonly name: string
  readonly about: string
  /** The expected result: `safe` if no state violates an invariant, or `broken` if a violation is found. */
  readonly expected: 'safe' | 'broken'
  /** True for a search that takes minutes and 2 GB. Such a search is not used to find planted bugs. */
  readonly isLong?: boolean
}

/**
 * The searches of simnet's explorer (`@org/simnet/explorer`), which visits every state that the validators of one
 * height can reach. Each search has four validators, by default with equal powers. `byzantineVotes` is the maximum
 * number of votes of Byzantine validators in a search.
 */
export const SEARCHES: readonly Search[] = [
  { name: 'one', about: 'all correct', rounds: 1, expected: 'safe' },
  { name: 'one-liar', about: 'one liar sends any message', rounds: 1, byzantine: [3], expected: 'safe' },
  { name: 'one-proposer', about: 'the proposer sends any message', rounds: 1, byzantine: [0], expected: 'safe' },
  {
    name: 'one-refused',
    about: 'the block of the proposer is refused',
    rounds: 1,
    byzantine: [0],
    byzantineBlocks: ['bad'],
    expected: 'safe',
  },
  {
    name: 'one-powers',
    about: 'powers 7, 1, 1, 1; one liar sends any message',
    rounds: 1,
    byzantine: [3],
    powers: [7, 1, 1, 1],
    expected: 'safe',
  },
  { name: 'one-broken', about: 'two liars send any message', rounds: 1, byzantine: [0, 1], expected: 'broken' },
  {
    name: 'two-silent',
    about: 'one validator sends nothing',
    rounds: 2,
    byzantine: [3],
    byzantineVotes: 0,
    expected: 'safe',
  },
  {
    name: 'two-first',
    about: 'the first proposer proposes any block',
    rounds: 2,
    byzantine: [0],
    byzantineVotes: 0,
    expected: 'safe',
  },
  {
    name: 'two-proposer',
    about: 'the second proposer proposes any block',
    rounds: 2,
    byzantine: [1],
    byzantineVotes: 0,
    expected: 'safe',
  },
  {
    name: 'two-proposer-lie',
    about: 'the second proposer lies, with one vote',
    rounds: 2,
    byzantine: [1],
    byzantineVotes: 1,
    expected: 'safe',
    isLong: true,
  },
  { name: 'two-lie', about: 'one vote of a liar', rounds: 2, byzantine: [3], byzantineVotes: 1, expected: 'safe' },
  {
    name: 'two-lies',
    about: 'two votes of a liar',
    rounds: 2,
    byzantine: [3],
    byzantineVotes: 2,
    expected: 'safe',
    isLong: true,
  },
  {
    name: 'two-powers',
    about: 'powers 7, 1, 1, 1; one liar sends any message',
    rounds: 2,
    byzantine: [3],
    powers: [7, 1, 1, 1],
    expected: 'safe',
  },
  {
    name: 'three-silent',
    about: 'one validator sends nothing',
    rounds: 3,
    byzantine: [3],
    byzantineVotes: 0,
    expected: 'safe',
  },
  {
    name: 'three-powers',
    about: 'powers 7, 1, 1, 1; one liar sends any message',
    rounds: 3,
    byzantine: [3],
    powers: [7, 1, 1, 1],
    expected: 'safe',
  },
]
