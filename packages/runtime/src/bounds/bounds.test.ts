import { expect, test } from 'vitest'
import { createSemaphore, dropOldest, oldestOfLargestGroup } from './index.ts'

test('default: the oldest entry is removed only if there are more entries than the bound', () => {
  const entries = new Map([
    ['a', 1],
    ['b', 2],
  ])
  dropOldest(entries, 2)
  expect([...entries.keys()]).toEqual(['a', 'b'])
  entries.set('c', 3)
  dropOldest(entries, 2)
  expect([...entries.keys()]).toEqual(['b', 'c'])
})

/**
 * One caller for each letter of `names` asks for a slot. The log gets the letter when the caller has a slot, or a
 * minus and the letter when the call rejects.
 */
function enterAll(semaphore: ReturnType<typeof createSemaphore>, names: string, signal?: AbortSignal) {
  const log: string[] = []
  const entered = [...names].map((name) =>
    semaphore.acquire(signal).then(
      () => log.push(name),
      () => log.push(`-${name}`),
    ),
  )
  return { log, entered }
}

test('behavior: callers beyond the bound wait, and get their slots in the order of arrival', async () => {
  const semaphore = createSemaphore(2)
  const { log, entered } = enterAll(semaphore, 'abcd')
  await Promise.all(entered.slice(0, 2))
  expect([log.join(''), semaphore.waiting()]).toEqual(['ab', 2])
  semaphore.release()
  await entered[2]
  expect([log.join(''), semaphore.waiting()]).toEqual(['abc', 1])
  semaphore.release()
  await entered[3]
  semaphore.release()
  semaphore.release()
  // Now all slots are free again, so two callers can enter without waiting.
  await Promise.all(enterAll(semaphore, 'ef').entered)
  expect(semaphore.waiting()).toBe(0)
})

test('behavior: an aborted caller stops waiting and takes no slot', async () => {
  const semaphore = createSemaphore(1)
  await semaphore.acquire()
  const controller = new AbortController()
  const gone = enterAll(semaphore, 'a', controller.signal)
  const next = enterAll(semaphore, 'b')
  controller.abort(new Error('gone'))
  await Promise.all(gone.entered)
  expect([gone.log, semaphore.waiting()]).toEqual([['-a'], 1])
  semaphore.release()
  await Promise.all(next.entered)
  expect(next.log).toEqual(['b'])
})

test('behavior: a caller that gets a slot in the turn of its abort keeps the slot', async () => {
  const semaphore = createSemaphore(1)
  await semaphore.acquire()
  const controller = new AbortController()
  const late = enterAll(semaphore, 'a', controller.signal)
  controller.abort(new Error('gone'))
  semaphore.release()
  await Promise.all(late.entered)
  expect(late.log).toEqual(['a'])
  const next = enterAll(semaphore, 'b')
  expect(semaphore.waiting()).toBe(1)
  semaphore.release()
  await Promise.all(next.entered)
})

test('default: oldestOfLargestGroup returns the first item of the group with the most items', () => {
  const chosen = (items: readonly string[]): string | undefined =>
    oldestOfLargestGroup(items, (item) => item.slice(0, 1))
  expect(chosen([])).toBe(undefined)
  expect(chosen(['a1', 'b1', 'b2', 'c1'])).toBe('b1')
  expect(chosen(['c1', 'b1', 'a1'])).toBe('c1')
  expect(chosen(['a1', 'b1', 'b2', 'a2'])).toBe('a1')
})
