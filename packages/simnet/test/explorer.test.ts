import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ExploreOptions, explore } from '../src/explorer/index.ts'
import { LocalTable } from '../src/explorer/local-table.ts'
import { type Event, eventKey } from '../src/explorer/message.ts'
import { createModel } from '../src/explorer/model.ts'
import { startValidator } from '../src/explorer/validator.ts'

describe('every order of messages and timeouts', () => {
  it('default: four correct validators in one round decide what was proposed, or nothing', () => {
    const found = explore({ rounds: 1 })
    expect(found).toMatchObject({ complete: true, violation: undefined })
    expect(found.decided).toEqual(new Set(['a0']))
    expect(found.states).toBeGreaterThan(500)
  })

  it('behavior: a validator that sends any message to any other does not make the others disagree', () => {
    const found = explore({ rounds: 1, byzantine: [3] })
    expect(found).toMatchObject({ complete: true, violation: undefined })
    expect(found.decided).toEqual(new Set(['a0']))
  })

  it('behavior: a proposer that sends different proposals does not make the others disagree', () => {
    const found = explore({ rounds: 1, byzantine: [0] })
    expect(found).toMatchObject({ complete: true, violation: undefined })
    expect(found.decided).toEqual(new Set(['x', 'y']))
  })

  it('behavior: a block that the application refuses is not decided', () => {
    const found = explore({ rounds: 1, byzantine: [0], byzantineBlocks: ['bad'] })
    expect(found).toMatchObject({ complete: true, violation: undefined })
    expect(found.decided).toEqual(new Set())
  })

  it('behavior: two proposers that send different proposals break agreement, and the search finds it', () => {
    const found = explore({ rounds: 1, byzantine: [0, 1] })
    expect(found.violation?.rule).toMatch(/^two decisions: [xy], [xy]$/)
    expect(found.violation?.trace.length).toBeGreaterThan(3)
  })

  it('behavior: two rounds with a silent validator are safe', () => {
    const found = explore({ byzantine: [3], byzantineVotes: 0 })
    expect(found).toMatchObject({ complete: true, violation: undefined })
    expect(found.decided).toEqual(new Set(['a0', 'a1']))
  })

  it('behavior: the power of validators counts, not their number', () => {
    const found = explore({ rounds: 1, byzantine: [3], powers: [7, 1, 1, 1] })
    expect(found).toMatchObject({ complete: true, violation: undefined })
    expect(found.decided).toEqual(new Set(['a0']))
  })

  it('behavior: the report shows that the limit of states was reached', () => {
    expect(explore({ rounds: 1, maxStates: 100 })).toMatchObject({ states: 100, complete: false })
  })
})

const SMALL: readonly (readonly [name: string, options: ExploreOptions])[] = [
  ['one says nothing', { rounds: 1, byzantine: [3], byzantineVotes: 0 }],
  ['the block is refused', { rounds: 1, byzantine: [0], byzantineVotes: 0, byzantineBlocks: ['bad'] }],
  ['one vote of a liar', { rounds: 1, byzantine: [3], byzantineVotes: 1, powers: [7, 1, 1, 1] }],
  [
    'two votes of a liar without whom nothing is decided',
    { rounds: 1, byzantine: [2], byzantineVotes: 2, powers: [10, 10, 10] },
  ],
]

it.each(SMALL)('behavior: transitions that are left out lead to no other state: %s', (_, options) => {
  /**
   * Explores all states. Makes a text from each state: the messages and the decision of each validator. The texts of
   * validators with equal roles are sorted, because it does not matter which of these validators did what.
   */
  const seen = (full: boolean) => {
    const outcomes = new Set<string>()
    const { states, complete, decided } = explore({
      ...options,
      full,
      onState: (at) => {
        const texts = at.map(({ votes, proposals, decided: block }) =>
          [...proposals.map(eventKey), ...votes.map(({ type, value }) => `${type} ${value}`), block].join(),
        )
        const first = options.byzantine?.includes(0) === true ? [] : texts.splice(0, 1)
        outcomes.add([...first, ...texts.sort()].join(' | '))
      },
    })
    expect(complete).toBe(true)
    return { states, outcomes, decided }
  }
  const [reduced, full] = [seen(false), seen(true)]
  expect(reduced.outcomes).toEqual(full.outcomes)
  expect(reduced.decided).toEqual(full.decided)
  expect(full.states).toBeGreaterThan(10 * reduced.states)
})

const ROUNDS = 2
const model = createModel([10, 10, 10, 10], ROUNDS)
const block = fc.constantFrom('a0', 'a1', 'x', 'bad')
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.constant<Event>({ kind: 'timeout' }),
  block.map((name): Event => ({ kind: 'parts', block: name })),
  fc
    .record({ block, round: fc.constantFrom(0, 1) })
    .map((fields): Event => ({ kind: 'proposal', polRound: -1, ...fields })),
  fc
    .record({
      type: fc.constantFrom('prevote' as const, 'precommit' as const),
      round: fc.constantFrom(0, 1),
      validator: fc.constantFrom(0, 1, 3),
      value: fc.constantFrom('nil', 'a0', 'x'),
    })
    .map((fields): Event => ({ kind: 'vote', ...fields })),
)

it('behavior: merged states behave as one state', () => {
  // The explorer treats all machines in the same state as one machine, and keeps only the first of them. So each other
  // machine that reaches the state must behave like the first one.
  const options = { index: 2, rounds: ROUNDS }
  const table = new LocalTable(model, options)
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 24 }), (events) => {
      const live = startValidator(model, options)
      let at = table.initial
      for (const next of events) {
        live.feed(next)
        at = table.next(at, next)
      }
      expect(live.votes.map(eventKey)).toEqual(at.votes.map(eventKey))
      expect(live.proposals.map(eventKey)).toEqual(at.proposals.map(eventKey))
      expect(live.decided()).toBe(at.decided)
      expect(live.faults).toEqual(at.faults)
    }),
    { numRuns: 2_000 },
  )
})
