import { expect, test } from 'vitest'
import { createPlaces, dropOldest } from './index.ts'

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
 * One caller for each letter of `names` asks for a place. The log gets the letter when the caller has a place, or a
 * minus and the letter when the call rejects.
 */
function enterAll(places: ReturnType<typeof createPlaces>, names: string, signal?: AbortSignal) {
  const log: string[] = []
  const entered = [...names].map((name) =>
    places.enter(signal).then(
      () => log.push(name),
      () => log.push(`-${name}`),
    ),
  )
  return { log, entered }
}

test('behavior: callers beyond the bound wait, and have their places in the order of arrival', async () => {
  const places = createPlaces(2)
  const { log, entered } = enterAll(places, 'abcd')
  await Promise.all(entered.slice(0, 2))
  expect([log.join(''), places.waiting()]).toEqual(['ab', 2])
  places.leave()
  await entered[2]
  expect([log.join(''), places.waiting()]).toEqual(['abc', 1])
  places.leave()
  await entered[3]
  places.leave()
  places.leave()
  // Now all places are free again, so two callers can enter without waiting.
  await Promise.all(enterAll(places, 'ef').entered)
  expect(places.waiting()).toBe(0)
})

test('behavior: an aborted caller stops waiting and takes no place', async () => {
  const places = createPlaces(1)
  await places.enter()
  const controller = new AbortController()
  const gone = enterAll(places, 'a', controller.signal)
  const next = enterAll(places, 'b')
  controller.abort(new Error('gone'))
  await Promise.all(gone.entered)
  expect([gone.log, places.waiting()]).toEqual([['-a'], 1])
  places.leave()
  await Promise.all(next.entered)
  expect(next.log).toEqual(['b'])
})

test('behavior: a caller that gets a place in the turn of its abort keeps the place', async () => {
  const places = createPlaces(1)
  await places.enter()
  const controller = new AbortController()
  const late = enterAll(places, 'a', controller.signal)
  controller.abort(new Error('gone'))
  places.leave()
  await Promise.all(late.entered)
  expect(late.log).toEqual(['a'])
  const next = enterAll(places, 'b')
  expect(places.waiting()).toBe(1)
  places.leave()
  await Promise.all(next.entered)
})
