import { createSystemClock, nextTurn } from '@org/runtime'
import { expect, test } from 'vitest'
import type { EventItem } from '../ports/index.ts'
import { createPace } from '../routes/pace.ts'
import { catchUp } from './catch-up.ts'
import { createCatchUpTurns } from './catch-up-turns.ts'
import { BLOCK_END, type EventPlace } from './event-place.ts'

const HEIGHTS = 200
const item = { data: { type: 'NewBlock' } } as unknown as EventItem

/** A history with one event per block. Its clock advances a tenth of a millisecond at each reading. */
function slowHistory() {
  let now = 0
  const clock = { monotonic: () => (now += 0.1), after: createSystemClock().after }
  let reads = 0
  const history = {
    lastHeight: () => HEIGHTS,
    firstAfter: (height: number) => height + 1,
    read: (): readonly EventItem[] => {
      reads++
      return [item]
    },
  }
  const pace = createPace({ clock })
  const turns = createCatchUpTurns({ clock, pace })
  return { history, turns, pace, reads: () => reads }
}

const fromStart: EventPlace = { height: 0, index: BLOCK_END }

test('behavior: a turn of the event loop has room for one slice, however many catch up', async () => {
  const { history, turns, reads } = slowHistory()
  let left = 100
  const all = Array.from({ length: left }, () =>
    catchUp({ after: fromStart, matches: () => false, take: () => true, isOver: () => false }, { history, turns }).then(
      (place) => {
        left--
        return place
      },
    ),
  )
  let most = 0
  for (let before = reads(); left > 0; before = reads()) {
    await nextTurn()
    most = Math.max(most, reads() - before)
  }
  for (const place of await Promise.all(all)) expect(place).toEqual({ height: HEIGHTS, index: BLOCK_END })
  expect(reads()).toBe(100 * HEIGHTS)
  // A slice of a millisecond reads the clock ten times, and at least once for each block.
  expect(most).toBeLessThanOrEqual(10)
})

test('behavior: a call waits for the slices of few catch-ups, however many there are', async () => {
  const { history, turns, pace } = slowHistory()
  let over = false
  const all = Array.from({ length: 100 }, () =>
    catchUp({ after: fromStart, matches: () => false, take: () => true, isOver: () => over }, { history, turns }),
  )
  for (let i = 0; i < 50; i++) await nextTurn()
  let waited = 0
  let isDone = false
  void Promise.resolve(pace.run(() => undefined)).then(() => {
    isDone = true
  })
  for (; !isDone; waited++) await nextTurn()
  over = true
  await Promise.all(all)
  expect(waited).toBeGreaterThan(0)
  expect(waited).toBeLessThan(10)
})

test('behavior: clients that do not read their events delay no other client', async () => {
  const { history, turns } = slowHistory()
  const never = Array.from({ length: 20 }, () =>
    catchUp(
      { after: fromStart, matches: () => true, take: () => new Promise<never>(() => undefined), isOver: () => false },
      { history, turns },
    ),
  )
  const taken: number[] = []
  const place = await catchUp(
    {
      after: fromStart,
      matches: () => true,
      take: (_item, { height }) => taken.push(height) > 0,
      isOver: () => false,
    },
    { history, turns },
  )
  expect(never.length).toBe(20)
  expect(place.height).toBe(HEIGHTS)
  expect(taken).toEqual(Array.from({ length: HEIGHTS }, (_, i) => i + 1))
})

test('behavior: one that ends, or fails, gives its place to the next', async () => {
  const { history, turns } = slowHistory()
  const failing = Array.from({ length: 10 }, () =>
    catchUp(
      {
        after: fromStart,
        matches: () => true,
        take: () => {
          throw new Error('the client is gone')
        },
        isOver: () => false,
      },
      { history, turns },
    ),
  )
  for (const failed of failing) await expect(failed).rejects.toThrow('the client is gone')
  const level: string[] = []
  const place = await catchUp(
    { after: fromStart, matches: () => false, take: () => true, isOver: () => false },
    { history, turns },
    () => level.push('level'),
  )
  expect([place.height, level]).toEqual([HEIGHTS, ['level']])
})
