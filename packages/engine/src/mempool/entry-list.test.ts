import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEntryList, type MempoolEntry } from './entry-list.ts'

const entry = (key: string): MempoolEntry => ({
  key,
  tx: new Uint8Array(),
  height: 1,
  takenAt: 0,
  gasWanted: 0n,
  senders: new Set(),
})
const keys = (list: Iterable<MempoolEntry>): string[] => [...list].map(({ key }) => key)

test('default: first in, first out', () => {
  const list = createEntryList()
  for (const key of ['a', 'b', 'c']) list.append(entry(key))
  expect(list.remove('b')?.key).toBe('b')
  expect(list.remove('b')).toBeUndefined()
  expect(keys(list as Iterable<MempoolEntry>)).toEqual(['a', 'c'])
})

test('behavior: a cursor on a removed last entry finds later entries', () => {
  const list = createEntryList()
  list.append(entry('a'))
  list.append(entry('b'))
  const cursor = list.cursor()
  expect([cursor.next()?.key, cursor.next()?.key, cursor.next()]).toEqual(['a', 'b', undefined])
  expect(cursor.isListed()).toBe(true)
  list.remove('b')
  expect(cursor.isListed()).toBe(false)
  list.append(entry('c'))
  expect([cursor.next()?.key, cursor.next()]).toEqual(['c', undefined])
  list.clear()
  list.append(entry('d'))
  expect(cursor.next()?.key).toBe('d')
})

test('behavior: cursors return every live entry once, in order, with any removals meanwhile', () => {
  const operation = fc.oneof(
    fc.constant({ kind: 'append' as const }),
    fc.record({ kind: fc.constant('remove' as const), pick: fc.nat() }),
    fc.record({ kind: fc.constant('step' as const), pick: fc.nat({ max: 2 }) }),
    fc.constant({ kind: 'clear' as const }),
  )
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 120 }), (operations) => {
      const list = createEntryList()
      let live: number[] = []
      let appended = 0
      const cursors = [0, 1, 2].map(() => ({ cursor: list.cursor(), last: -1 }))
      for (const step of operations) {
        if (step.kind === 'append') {
          list.append(entry(String(appended)))
          live.push(appended++)
        } else if (step.kind === 'remove' && live.length > 0) {
          const [gone] = live.splice(step.pick % live.length, 1)
          list.remove(String(gone))
        } else if (step.kind === 'clear') {
          list.clear()
          live = []
        } else if (step.kind === 'step') {
          const walker = cursors[step.pick] as (typeof cursors)[number]
          const expected = live.find((number) => number > walker.last)
          const got = walker.cursor.next()
          expect(got === undefined ? undefined : Number(got.key)).toBe(expected)
          walker.last = expected ?? walker.last
        }
        expect(list.size()).toBe(live.length)
      }
      expect(keys(list as Iterable<MempoolEntry>)).toEqual(live.map(String))
    }),
  )
})
