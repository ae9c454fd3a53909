import { createVirtualClock } from '@org/runtime'
import { expect, test } from 'vitest'
import { createTxTurns, MAX_REFILL_MS, TURN_PIECE } from './turns.ts'

const PER_MS = 128

/**
 * Simulates `steps` steps of `stepMs` milliseconds. One peer always has transactions to check, and they are checked
 * as fast as `turns.ts` allows. The timers fire only at the beginning of each step. Returns the number of checked
 * transactions for each step.
 */
function takePieces(stepMs: number, steps: number): number[] {
  const clock = createVirtualClock()
  let elapsed = 0
  let timers: (() => void)[] = []
  const turns = createTxTurns(PER_MS, {
    clock: {
      monotonic: () => elapsed,
      after: (_ms, run) => {
        timers.push(run)
        return clock.after(0, () => undefined)
      },
    },
    isConsensusBusy: () => false,
  })
  let taken = 0
  const check = (): boolean => {
    taken += TURN_PIECE
    return true
  }
  void turns.addPeer().run({ count: TURN_PIECE, check })
  const counts: number[] = []
  let before = 0
  for (let step = 0; step < steps; step++) {
    for (const run of timers.splice(0)) run()
    counts.push(taken - before)
    before = taken
    elapsed += stepMs
  }
  timers = []
  return counts
}

test('default: each millisecond has room for the same number of transactions', () => {
  expect(takePieces(1, 4)).toEqual([PER_MS, PER_MS, PER_MS, PER_MS])
})

test('behavior: timers that fire late do not lower the rate', () => {
  const counts = takePieces(1.6, 100)
  const total = counts.reduce((sum, count) => sum + count, 0)
  // A piece is a list of `TURN_PIECE` transactions, and only whole pieces are checked. So in each step, the number of
  // checked transactions may be lower than the rate allows, by almost one piece.
  expect(total).toBeGreaterThanOrEqual(100 * (1.6 * PER_MS - TURN_PIECE))
  expect(total).toBeLessThanOrEqual(PER_MS + 99 * 1.6 * PER_MS + TURN_PIECE)
})

test('behavior: a long pause gives room for a few milliseconds only', () => {
  expect(takePieces(5000, 3).slice(1)).toEqual([PER_MS * MAX_REFILL_MS, PER_MS * MAX_REFILL_MS])
})

test('behavior: a peer that did not wait gets the room of one millisecond, after any idle time', () => {
  let elapsed = 0
  const { after } = createVirtualClock()
  const turns = createTxTurns(PER_MS, { clock: { monotonic: () => elapsed, after }, isConsensusBusy: () => false })
  const turn = turns.addPeer()
  elapsed = 10_000
  let taken = 0
  while (turn.run({ count: TURN_PIECE, check: () => false }) === undefined) taken += TURN_PIECE
  expect(taken).toBe(PER_MS)
})

/**
 * Sets up peers that take turns on a test clock. The clock advances only while a peer's transactions are checked, and
 * when the test calls `turn`. `turn` also fires the timers.
 */
function openTurns(isConsensusBusy = false) {
  let now = 0
  const { after } = createVirtualClock()
  const timers: (() => void)[] = []
  const turns = createTxTurns(PER_MS, {
    clock: {
      monotonic: () => now,
      after: (_ms, run) => {
        timers.push(run)
        return after(0, () => undefined)
      },
    },
    isConsensusBusy: () => isConsensusBusy,
  })
  /**
   * Adds a peer whose list of transactions never ends. The node checks the list in pieces of a few transactions, and
   * the check of a piece takes `cost` milliseconds. Returns a function that returns the number of checked pieces.
   */
  const addPeer = (cost: number): (() => number) => {
    let pieces = 0
    const check = (): boolean => {
      pieces++
      now += cost
      return true
    }
    void turns.addPeer().run({ count: TURN_PIECE, check })
    return () => pieces
  }
  /** Runs `count` turns of the event loop: advances the clock by `restMs`, and fires the timers. */
  const turn = (count: number, restMs: number): void => {
    for (let i = 0; i < count; i++) {
      now += restMs
      for (const run of timers.splice(0)) run()
    }
  }
  return { addPeer, turn, now: () => now }
}

test('behavior: a peer with slow transactions gets no more time than another peer', () => {
  const { addPeer, turn } = openTurns()
  const [slow, quick] = [addPeer(0.8), addPeer(0.1)]
  turn(200, 1)
  const ratio = (0.1 * quick()) / (0.8 * slow())
  expect(ratio).toBeGreaterThan(0.8)
  expect(ratio).toBeLessThan(1.25)
})

test.each([
  [false, 0.5],
  [true, 0.25],
])('behavior: while consensus is busy (%s), transactions take at most %d of the time', (isBusy, share) => {
  const { addPeer, turn, now } = openTurns(isBusy)
  const pieces = addPeer(0.1)
  turn(500, 1)
  const part = (0.1 * pieces()) / now()
  expect(part).toBeLessThanOrEqual(share + 0.01)
  expect(part).toBeGreaterThan(share * 0.8)
})

test('behavior: transactions hold one turn of the event loop for a millisecond and a piece, also after a late timer', () => {
  const { addPeer, turn, now } = openTurns()
  for (let i = 0; i < 10; i++) addPeer(0.3)
  for (let i = 0; i < 20; i++) {
    const before = now()
    turn(1, 50)
    expect(now() - before - 50).toBeLessThanOrEqual(1.2 + 1e-9)
  }
})
