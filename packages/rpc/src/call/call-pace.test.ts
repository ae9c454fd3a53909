import { createVirtualClock, nextTurn } from '@org/runtime'
import { expect, test } from 'vitest'
import { createPace } from './call-pace.ts'

/** The work that has precedence over calls. A test sets whether this work is in progress. */
function createWork() {
  let pause = (): void => undefined
  const work = {
    busy: true,
    isBusy: () => work.busy,
    onPause: (listener: () => void) => {
      pause = listener
    },
    pause: () => pause(),
  }
  return work
}

function setUp(precedence?: ReturnType<typeof createWork>) {
  const clock = createVirtualClock(0n)
  let waiting = 0
  const onWaiting = (change: number): void => {
    waiting += change
  }
  const pace = createPace({ clock, precedence, onWaiting })
  const log: string[] = []
  /** Makes a call that takes `ms` milliseconds. */
  const call = (name: string, ms = 0) =>
    pace.run(() => {
      clock.advance(ms)
      log.push(name)
      return name
    })
  /** Makes a call of `runForBlock` that takes `ms` milliseconds. */
  const bring = (name: string, ms = 0) =>
    pace.runForBlock(() => {
      clock.advance(ms)
      log.push(name)
      return name
    })
  return { clock, pace, log, call, bring, waiting: () => waiting }
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextTurn()
}

test('default: calls run at once while their share of the turn lasts', () => {
  const { call, log, waiting } = setUp()
  expect([call('a'), call('b', 0.5), call('c', 5)]).toEqual(['a', 'b', 'c'])
  expect([log, waiting()]).toEqual([['a', 'b', 'c'], 0])
})

test('behavior: calls above the share wait for later turns, in order, and other work runs in between', async () => {
  const { call, log, waiting } = setUp()
  expect(call('a', 2)).toBe('a')
  const later = [call('b', 2), call('c'), call('d', 2), call('e')]
  expect([log, waiting()]).toEqual([['a'], 4])
  const turns: string[][] = []
  while (waiting() > 0) {
    await nextTurn()
    turns.push(log.slice())
    // A new call must not overtake waiting calls.
    if (log.at(-1) === 'b') later.push(call('f'))
  }
  expect(await Promise.all(later.map((one) => Promise.resolve(one)))).toEqual(['b', 'c', 'd', 'e', 'f'])
  expect(log).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  expect(turns.map(({ length }) => length)).toEqual([2, 4, 6])
})

test('error: the failure of a call, at once or later, does not affect other calls', async () => {
  const { pace, call } = setUp()
  const fail = (): never => {
    throw new Error('no')
  }
  expect(() => pace.run(fail)).toThrow('no')
  expect(call('a', 2)).toBe('a')
  const failed = pace.run(fail)
  const rejected = pace.run(() => Promise.reject(new Error('later')))
  const good = call('b')
  await expect(failed).rejects.toThrow('no')
  await expect(rejected).rejects.toThrow('later')
  expect(await good).toBe('b')
})

test('behavior: above the limit of waiting calls, further calls run at once', async () => {
  const { call, log, waiting } = setUp()
  expect(call('a', 2)).toBe('a')
  const later = Array.from({ length: 5000 }, (_, i) => call(String(i)))
  expect([waiting(), log.length]).toEqual([4096, 905])
  await Promise.all(later.map((one) => Promise.resolve(one)))
  expect([waiting(), log.length]).toEqual([0, 5001])
})

test('behavior: while a block is made calls get a short time, and then wait until it is committed', async () => {
  const work = createWork()
  const { call, log, waiting } = setUp(work)
  expect(call('a', 2)).toBe('a')
  const later = [call('b', 2), call('c', 2), call('d')]
  await turns(5)
  expect([log, waiting()]).toEqual([['a'], 3])
  work.pause()
  await turns(5)
  expect([log, waiting()]).toEqual([['a', 'b'], 2])
  // The block is finished here, so no work has precedence over calls any more.
  work.busy = false
  work.pause()
  await turns(5)
  expect(await Promise.all(later.map((one) => Promise.resolve(one)))).toEqual(['b', 'c', 'd'])
  expect(call('e', 2)).toBe('e')
  await turns(1)
  expect(call('f')).toBe('f')
})

test('behavior: the time to read and write many short calls counts', async () => {
  const work = createWork()
  const { call, log } = setUp(work)
  for (let i = 0; i < 500; i++) void call(String(i))
  await turns(5)
  expect(log.length).toBeGreaterThan(10)
  expect(log.length).toBeLessThan(100)
})

test('behavior: calls wait for a block for a limited time', async () => {
  const work = createWork()
  const { clock, call, log } = setUp(work)
  const later = [call('a', 2), call('b', 2), call('c', 2), call('d', 2)]
  await turns(5)
  expect(log).toEqual(['a'])
  clock.advance(19)
  await turns(5)
  expect(log).toEqual(['a'])
  clock.advance(1)
  await Promise.all(later.map((one) => Promise.resolve(one)))
  expect(log).toEqual(['a', 'b', 'c', 'd'])
})

test('behavior: calls that send transactions wait for a turn, not for the block, and run first', async () => {
  const work = createWork()
  const { call, bring, log, waiting } = setUp(work)
  void call('a', 2)
  void call('b')
  expect(bring('c')).toBeInstanceOf(Promise)
  await turns(2)
  expect([log, waiting()]).toEqual([['a', 'c'], 1])
  expect(bring('d', 2)).toBe('d')
  void bring('e')
  work.pause()
  await turns(3)
  expect(log).toEqual(['a', 'c', 'd', 'e', 'b'])
})

test('behavior: a turn of the event loop has one slice of long work, also if the work follows several promises later', async () => {
  const { clock, pace, log } = setUp()
  const work = async (name: string): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      await pace.pause()
      // Outside this test, a slice of long work begins some microtasks after `pace.pause()` resolves, because the
      // function `createSlices` adds further promises. In this test, the `for` loop below makes this delay.
      for (let step = 0; step < 10; step++) await Promise.resolve()
      clock.advance(1)
      log.push(name)
    }
  }
  const all = Promise.all(['a', 'b', 'c', 'd'].map(work))
  // The first slice begins at once.
  for (let step = 0; step < 20; step++) await Promise.resolve()
  for (let done = log.length; done < 12; done = log.length) {
    await nextTurn()
    expect(log.length - done).toBeLessThanOrEqual(1)
  }
  await all
})

test('behavior: slices count for the time of calls while a block is made', async () => {
  const work = createWork()
  const { clock, pace, log } = setUp(work)
  void (async () => {
    for (;;) {
      await pace.pause()
      for (let step = 0; step < 10; step++) await Promise.resolve()
      clock.advance(1)
      log.push('slice')
    }
  })()
  await turns(10)
  expect(log.length).toBe(2)
  work.pause()
  await turns(10)
  expect(log.length).toBe(4)
})
