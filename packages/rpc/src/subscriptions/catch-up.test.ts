import { createSystemClock, createVirtualClock, nextTurn } from '@org/runtime'
import { expect, test, vi } from 'vitest'
import { createPace } from '../call/call-pace.ts'
import type { EventItem } from '../ports/index.ts'
import { catchUp } from './catch-up.ts'
import { createCatchUpTurns } from './catch-up-turns.ts'
import { BLOCK_END, type EventPosition } from './event-position.ts'

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
  const turns = createCatchUpTurns({ clock, pace, precedence: undefined })
  return { history, turns, pace, reads: () => reads }
}

const fromStart: EventPosition = { height: 0, index: BLOCK_END }

test('behavior: one turn of the event loop runs one slice, for any number of catch-ups', async () => {
  const { history, turns, reads } = slowHistory()
  let left = 100
  const all = Array.from({ length: left }, () =>
    catchUp(
      { after: fromStart, matches: () => false, deliver: () => 'more', isOver: () => false },
      { history, turns },
    ).then((position) => {
      left--
      return position
    }),
  )
  let most = 0
  for (let before = reads(); left > 0; before = reads()) {
    await nextTurn()
    most = Math.max(most, reads() - before)
  }
  for (const position of await Promise.all(all)) expect(position).toEqual({ height: HEIGHTS, index: BLOCK_END })
  expect(reads()).toBe(100 * HEIGHTS)
  // The clock is read at least once for each block, and advances a tenth of a millisecond at each reading. So a slice
  // of one millisecond reads at most ten blocks.
  expect(most).toBeLessThanOrEqual(10)
})

test('behavior: a call waits for the slices of only a few catch-ups, even if a hundred are in progress', async () => {
  const { history, turns, pace } = slowHistory()
  let over = false
  const all = Array.from({ length: 100 }, () =>
    catchUp({ after: fromStart, matches: () => false, deliver: () => 'more', isOver: () => over }, { history, turns }),
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
      {
        after: fromStart,
        matches: () => true,
        deliver: () => 'behind',
        drained: () => new Promise<never>(() => undefined),
        isOver: () => false,
      },
      { history, turns },
    ),
  )
  const taken: number[] = []
  const position = await catchUp(
    {
      after: fromStart,
      matches: () => true,
      deliver: (_item, { height }) => (taken.push(height) > 0 ? 'more' : 'over'),
      isOver: () => false,
    },
    { history, turns },
  )
  expect(never.length).toBe(20)
  expect(position.height).toBe(HEIGHTS)
  expect(taken).toEqual(Array.from({ length: HEIGHTS }, (_, i) => i + 1))
})

test('behavior: a catch-up that ends or fails makes room for the next', async () => {
  const { history, turns } = slowHistory()
  const failing = Array.from({ length: 10 }, () =>
    catchUp(
      {
        after: fromStart,
        matches: () => true,
        deliver: () => {
          throw new Error('the client is gone')
        },
        isOver: () => false,
      },
      { history, turns },
    ),
  )
  for (const failed of failing) await expect(failed).rejects.toThrow('the client is gone')
  const level: string[] = []
  const position = await catchUp(
    { after: fromStart, matches: () => false, deliver: () => 'more', isOver: () => false },
    { history, turns },
    () => level.push('level'),
  )
  expect([position.height, level]).toEqual([HEIGHTS, ['level']])
})

/**
 * Lets 20 clients read all blocks. Reading a block takes half a millisecond. Returns the milliseconds until all clients
 * have read all blocks (`total`), and the milliseconds of the reading alone (`work`).
 */
async function timeOfCatchUps(isBusy: boolean): Promise<{ readonly total: number; readonly work: number }> {
  const clock = createVirtualClock(0n)
  let work = 0
  const history = {
    lastHeight: () => HEIGHTS,
    firstAfter: (height: number) => height + 1,
    read: (): readonly EventItem[] => {
      work += 0.5
      clock.advance(0.5)
      return [item]
    },
  }
  const precedence = { isBusy: () => isBusy, onPause: () => undefined }
  // A catch-up works in slices. On a node, a slice waits for RPC calls, and for the pause after the previous slice. The
  // `pace` of this test does not wait for calls, but only for the next turn of the event loop. So only the pauses slow
  // the catch-ups down.
  const turns = createCatchUpTurns({ clock, pace: { pause: nextTurn }, precedence })
  let left = 20
  const all = Array.from({ length: left }, async () => {
    await catchUp(
      { after: fromStart, matches: () => false, deliver: () => 'more', isOver: () => false },
      { history, turns },
    )
    left--
  })
  while (left > 0) {
    await nextTurn()
    if (isBusy) clock.advance(0.5)
  }
  await Promise.all(all)
  return { total: clock.monotonic(), work }
}

test('behavior: catch-ups use at most a sixth of the time while blocks are made, and all of it otherwise', async () => {
  const idle = await timeOfCatchUps(false)
  expect(idle.total).toBe(idle.work)
  const busy = await timeOfCatchUps(true)
  expect(busy.work).toBe(idle.work)
  expect(busy.total).toBeGreaterThan(busy.work * 5.9)
  expect(busy.total).toBeLessThan(busy.work * 10)
})

/** A history of one block with a hundred events, which has more than one slice of work. Counts the arrays in memory. */
function largeBlock() {
  const { turns, pace } = slowHistory()
  const reads = { count: 0 }
  const read = (): readonly EventItem[] => {
    reads.count++
    return Array.from({ length: 100 }, () => item)
  }
  return { history: { lastHeight: () => 1, firstAfter: (height: number) => height + 1, read }, turns, pace, reads }
}

test('limit: at most four catch-ups have the events of a block in memory in the middle of the block', async () => {
  const { history, turns, reads } = largeBlock()
  const all = Array.from({ length: 20 }, () =>
    catchUp({ after: fromStart, matches: () => false, deliver: () => 'more', isOver: () => false }, { history, turns }),
  )
  for (let i = 0; i < 20; i++) await nextTurn()
  expect(reads.count).toBe(4)
  for (const position of await Promise.all(all)) expect(position).toEqual({ height: 1, index: BLOCK_END })
  expect(reads.count).toBe(20)
})

test('limit: only eight catch-ups keep the events of a block while they wait for their clients', async () => {
  const { history, turns, reads } = largeBlock()
  const { promise: readAll, resolve } = Promise.withResolvers<boolean>()
  const taken: number[] = []
  const all = Array.from({ length: 20 }, () => {
    let behind = 0
    return catchUp(
      {
        after: fromStart,
        matches: () => true,
        deliver: (_item, { index }) => {
          taken.push(index)
          return index === 50 && behind++ === 0 ? 'behind' : 'more'
        },
        drained: () => readAll,
        isOver: () => false,
      },
      { history, turns },
    )
  })
  await vi.waitFor(() => expect(taken.filter((index) => index === 50).length).toBe(20))
  expect(reads.count).toBe(20)
  resolve(true)
  await Promise.all(all)
  expect(reads.count).toBe(20 + 12)
  expect(taken.length).toBe(20 * 100)
})

test('behavior: a catch-up that waits for its turn ends when its client is gone', async () => {
  const { history, turns, reads } = largeBlock()
  const client = new AbortController()
  const deliver = (): 'more' => 'more'
  const options = { after: fromStart, matches: () => false, deliver, isOver: () => false }
  const first = catchUp(options, { history, turns })
  const gone = Array.from({ length: 50 }, () => catchUp({ ...options, signal: client.signal }, { history, turns }))
  const last = catchUp(options, { history, turns })
  client.abort(new Error('gone'))
  for (const position of await Promise.all(gone)) expect(position).toEqual(fromStart)
  await Promise.all([first, last])
  expect(reads.count).toBe(2)
})
