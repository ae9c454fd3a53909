import { beforeEach, expect, test, vi } from 'vitest'

const clock = vi.hoisted(() => ({ ms: 0, timers: [] as (() => void)[] }))
vi.mock('../live/clock.ts', () => ({
  clock: {
    now: () => BigInt(clock.ms) * 1_000_000n,
    after: (_ms: number, run: () => void) => clock.timers.push(run),
  },
}))
const { beginRound, changeRound, heights, withStep, withVote } = await import('./round-history.ts')

/** Runs all pending timers, so that the screen shows the recorded events. */
function show(): void {
  for (const run of clock.timers.splice(0)) run()
}
const seenHeights = (): readonly number[] => heights.value.map(({ height }) => height)

beforeEach(() => {
  beginRound({ height: 0, round: 0 })
  show()
  clock.ms = 0
})

test('default: votes have the time since the first event of their height', () => {
  changeRound({ height: 5, round: 0 }, (round) => withStep(round, 'RoundStepPropose'))
  clock.ms = 30
  changeRound({ height: 5, round: 0 }, (round, atMs) =>
    withVote(round, { validator: 1, kind: 'prevote', hash: 'AB', atMs }),
  )
  show()
  expect(heights.value[0]?.rounds[0]?.votes).toEqual([{ validator: 1, kind: 'prevote', hash: 'AB', atMs: 30 }])
})

test('default: a second vote of a validator is ignored, unless the first vote of this kind has no time', () => {
  const vote = { validator: 1, kind: 'prevote', hash: 'AB', atMs: undefined } as const
  changeRound({ height: 5, round: 0 }, (round) => withVote(withVote(round, vote), { ...vote, hash: '', atMs: 7 }))
  changeRound({ height: 5, round: 0 }, (round) => withVote(round, { ...vote, hash: 'CD', atMs: 9 }))
  show()
  expect(heights.value[0]?.rounds[0]?.votes).toEqual([{ ...vote, hash: '', atMs: 7 }])
})

test('bound: the last four heights, eight rounds and 2,000 votes are kept', () => {
  for (let height = 1; height <= 20; height++) changeRound({ height, round: 0 }, (round) => withStep(round, 'x'))
  changeRound({ height: 3, round: 0 }, (round) => withStep(round, 'y'))
  for (let round = 0; round < 30; round++) changeRound({ height: 20, round }, (found) => withStep(found, 'x'))
  for (let validator = 0; validator < 3000; validator++)
    changeRound({ height: 20, round: 29 }, (round) =>
      withVote(round, { validator, kind: 'prevote', hash: '', atMs: 1 }),
    )
  show()
  expect(seenHeights()).toEqual([20, 19, 18, 17])
  expect(heights.value[0]?.rounds.map(({ round }) => round)).toEqual([22, 23, 24, 25, 26, 27, 28, 29])
  expect(heights.value[0]?.rounds.at(-1)?.votes.length).toBe(2000)
})

test('behavior: when the chain goes back to an earlier height, all recorded heights are removed', () => {
  changeRound({ height: 9, round: 0 }, (round) => withStep(round, 'RoundStepCommit'))
  beginRound({ height: 4, round: 0 })
  changeRound({ height: 4, round: 0 }, (round) => withStep(round, 'RoundStepPropose'))
  show()
  expect(seenHeights()).toEqual([4])
})

test('error: heights and rounds that are not whole numbers are ignored', () => {
  for (const height of [Number.NaN, 1.5, Number.POSITIVE_INFINITY])
    changeRound({ height, round: 0 }, (round) => withStep(round, 'x'))
  changeRound({ height: 2, round: Number.NaN }, (round) => withStep(round, 'x'))
  show()
  expect(seenHeights()).toEqual([])
})
