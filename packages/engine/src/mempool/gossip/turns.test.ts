import { createVirtualClock } from '@org/runtime'
import { expect, test } from 'vitest'
import { createTxTurns, MAX_LATE_MS, TURN_PIECE } from './turns.ts'

const PER_MS = 128

/** Takes pieces as long as there is room, when the timers fire only every `stepMs`. Returns the transactions of each step. */
async function takePieces(stepMs: number, steps: number): Promise<number[]> {
  const clock = createVirtualClock()
  let elapsed = 0
  let timers: (() => void)[] = []
  const turns = createTxTurns(PER_MS, {
    monotonic: () => elapsed,
    after: (_ms, run) => {
      timers.push(run)
      return clock.after(0, () => undefined)
    },
  })
  let taken = 0
  void (async () => {
    for (;;) {
      await turns.take(TURN_PIECE)
      taken += TURN_PIECE
    }
  })()
  const counts: number[] = []
  for (let step = 0; step < steps; step++) {
    const before = taken
    for (const run of timers.splice(0)) run()
    // More microtasks than the room of a step can start.
    for (let i = 0; i < 1000; i++) await Promise.resolve()
    counts.push(taken - before)
    elapsed += stepMs
  }
  timers = []
  return counts
}

test('default: each millisecond has room for the same number of transactions', async () => {
  expect(await takePieces(1, 4)).toEqual([PER_MS, PER_MS, PER_MS, PER_MS])
})

test('behavior: timers that fire late do not lower the rate', async () => {
  const counts = await takePieces(1.6, 100)
  const total = counts.reduce((sum, count) => sum + count, 0)
  // The room that is left of a step is smaller than a piece.
  expect(total).toBeGreaterThanOrEqual(100 * (1.6 * PER_MS - TURN_PIECE))
  expect(total).toBeLessThanOrEqual(PER_MS + 99 * 1.6 * PER_MS)
})

test('behavior: a long pause gives room for a few milliseconds only', async () => {
  expect((await takePieces(5000, 3)).slice(1)).toEqual([PER_MS * MAX_LATE_MS, PER_MS * MAX_LATE_MS])
})

test('behavior: a peer that did not wait gets the room of one millisecond, however long the node was idle', () => {
  let elapsed = 0
  const { after } = createVirtualClock()
  const turns = createTxTurns(PER_MS, { monotonic: () => elapsed, after })
  elapsed = 10_000
  let taken = 0
  while (turns.take(TURN_PIECE) === undefined) taken += TURN_PIECE
  expect(taken).toBe(PER_MS)
})
