import { expect, test } from 'vitest'
import { INDEX_ERRORS } from '../errors.ts'
import { createSharedSearches, type Found } from './shared-searches.ts'

const generation = (): number => 1
const FOUND: Found = { byteLength: 0 }

/** Starts two searches that run until `end` is called, and `waiting` searches that wait for the end of these two. */
function blocked(waiting: number, length = 10) {
  const shared = createSharedSearches<Found>({ maxBytes: 0 })
  const { promise, resolve } = Promise.withResolvers<Found>()
  const find = (name: string, signal?: AbortSignal): Promise<Found> =>
    shared.find({ text: name.padEnd(length), generation }, () => promise, signal)
  const all = Array.from({ length: 2 + waiting }, (_, i) => find(`search ${i}`))
  return { find, all, end: () => resolve(FOUND) }
}

test("error: refuses a search above the queue's limit with a code, and accepts searches again later", async () => {
  const { find, all, end } = blocked(256)
  await expect(find('one too many')).rejects.toMatchObject({ code: INDEX_ERRORS.busy })
  end()
  expect((await Promise.all(all)).length).toBe(258)
  expect(await find('later')).toBe(FOUND)
})

test('error: the total length of waiting queries has a bound', async () => {
  const { find, all, end } = blocked(2, 400_000)
  await expect(find('one too many')).rejects.toMatchObject({ code: INDEX_ERRORS.busy })
  end()
  expect((await Promise.all(all)).length).toBe(4)
})

test('behavior: a search whose callers have all aborted leaves the queue', async () => {
  const { find, all, end } = blocked(255)
  const controller = new AbortController()
  const gone = find('gone', controller.signal)
  controller.abort(new Error('the client is gone'))
  await expect(gone).rejects.toThrow('the client is gone')
  const last = find('one more')
  await expect(find('one too many')).rejects.toMatchObject({ code: INDEX_ERRORS.busy })
  end()
  expect((await Promise.all([...all, last])).length).toBe(258)
  expect(await find('later')).toBe(FOUND)
})
