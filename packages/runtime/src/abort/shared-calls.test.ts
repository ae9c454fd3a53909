import { expect, test } from 'vitest'
import { createDeferred } from '../deferred/index.ts'
import { createSharedCalls } from './shared-calls.ts'

/** Makes calls that share the function `work`. Each run of `work` adds its signal to `begun`. */
function createFixture() {
  const shared = createSharedCalls<string, number>()
  const ended = createDeferred<number>()
  const begun: AbortSignal[] = []
  const work = (signal: AbortSignal): Promise<number> => {
    begun.push(signal)
    return ended.promise
  }
  return { begun, ended, join: shared.join, call: (key: string, signal?: AbortSignal) => shared({ key, work, signal }) }
}

test('default: calls with one key share one piece of work, and calls with another key do not', async () => {
  const { call, begun, ended } = createFixture()
  const all = [call('a'), call('a'), call('b')]
  ended.resolve(5)
  expect(await Promise.all(all)).toEqual([5, 5, 5])
  expect(begun.length).toBe(2)
})

test('behavior: a call after the end of the work begins new work', async () => {
  const { call, begun, ended } = createFixture()
  ended.resolve(5)
  await call('a')
  await call('a')
  expect(begun.length).toBe(2)
})

test.each(['call', 'join'] as const)(
  'behavior: the work ends when all of its callers have left, and a later call begins new work (second caller: %s)',
  async (second) => {
    const fixture = createFixture()
    const { call, begun, ended } = fixture
    const [firstCaller, secondCaller] = [new AbortController(), new AbortController()]
    const calls = [call('a', firstCaller.signal), fixture[second]('a', secondCaller.signal)]
    firstCaller.abort(new Error('first left'))
    await expect(calls[0]).rejects.toThrow('first left')
    expect(begun[0]?.aborted).toBe(false)
    secondCaller.abort(new Error('second left'))
    await expect(calls[1]).rejects.toThrow('second left')
    expect(begun[0]?.aborted).toBe(true)
    const later = call('a')
    ended.resolve(5)
    expect([await later, begun.length]).toEqual([5, 2])
  },
)

test('error: a call whose signal has aborted already begins no work', async () => {
  const { call, begun } = createFixture()
  await expect(call('a', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  expect(begun).toEqual([])
})

test('behavior: a caller joins the work of a key from its beginning to its end', async () => {
  const { begun, call, ended, join } = createFixture()
  expect(join('a')).toBe(undefined)
  const first = call('a')
  const joined = join('a')
  expect(join('b')).toBe(undefined)
  ended.resolve(5)
  expect([await first, await joined, begun.length]).toEqual([5, 5, 1])
  expect(join('a')).toBe(undefined)
})
