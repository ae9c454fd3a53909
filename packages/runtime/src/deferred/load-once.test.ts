import { expect, test } from 'vitest'
import { loadOnce } from './load-once.ts'

/** Makes a function under test whose results and errors are `outcomes`, in this order. */
function createFixture(outcomes: (number | Error)[], mayKeep?: (result: number) => boolean) {
  const counts = { loads: 0 }
  const load = async (): Promise<number> => {
    const outcome = outcomes[counts.loads++] ?? 0
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  return { counts, get: loadOnce(load, mayKeep) }
}

test('default: the value is loaded at the first call, and all callers get it', async () => {
  const { counts, get } = createFixture([7, 8])
  expect(counts.loads).toBe(0)
  expect(await Promise.all([get(), get()])).toEqual([7, 7])
  expect([await get(), counts.loads]).toEqual([7, 1])
})

test('error: after a failure, the next call loads the value again', async () => {
  const { counts, get } = createFixture([new Error('too many open files'), 8])
  const first = [get(), get()]
  for (const each of first) await expect(each).rejects.toThrow('too many open files')
  expect([await get(), await get(), counts.loads]).toEqual([8, 8, 2])
})

test('behavior: a result that may not be kept is returned, and the next call loads again', async () => {
  const { counts, get } = createFixture([0, 8], (result) => result > 0)
  expect([await get(), await get(), await get(), counts.loads]).toEqual([0, 8, 8, 2])
})
