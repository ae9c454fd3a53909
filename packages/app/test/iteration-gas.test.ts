import { utf8ToBytes } from '@org/types/bytes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '../src/index.ts'
import { createOverlay } from '../src/state/index.ts'
import { type Child, type Edit, insert, openVersions } from '../src/tree/index.ts'

const { load } = openVersions(createMemoryStorage(), 2)

function treeOf(keys: readonly string[]): Child | undefined {
  const edit: Edit = { load, version: 1, orphans: [] }
  let tree: Child | undefined
  for (const key of keys) {
    tree = insert(edit, tree, { kind: 'leaf', key: utf8ToBytes(key), value: Uint8Array.of(1), version: 1 })
  }
  return tree
}

/**
 * Creates an overlay, which collects changes to `tree`. Returns the overlay, and the list of the accesses that it
 * counts.
 */
function counted(tree: Child | undefined) {
  const accesses: [string, number][] = []
  const overlay = createOverlay({ tree, load }, (access, bytes) => accesses.push([access, bytes]))
  return { overlay, accesses }
}

test('an iteration over an empty range is counted', () => {
  const { overlay, accesses } = counted(undefined)
  expect([...overlay.entries({ from: 'a' })]).toEqual([])
  expect(accesses).toEqual([['read', 0]])
})

test('each key that was deleted before is counted, although the iteration does not return it', () => {
  const { overlay, accesses } = counted(treeOf(['a', 'b', 'c']))
  for (const key of ['a', 'b', 'missing']) overlay.delete(key)
  accesses.length = 0
  expect([...overlay.entries()]).toHaveLength(1)
  expect(accesses).toEqual([
    ['read', 0],
    ['read', 1],
    ['read', 1],
    ['read', 2],
    ['read', 'missing'.length],
  ])
})

const steps = fc.array(
  fc.record({
    key: fc.string({ unit: fc.constantFrom(...'abmz'), minLength: 1, maxLength: 4 }),
    value: fc.option(fc.string({ minLength: 1, maxLength: 3 })),
    readAt: fc.nat(60),
  }),
  { maxLength: 300, size: 'max' },
)

test('iterations between any changes return the pairs of a plain map', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (list, reverse) => {
      const { overlay } = counted(treeOf(['a', 'm', 'z']))
      const model = new Map(['a', 'm', 'z'].map((key) => [key, '\u0001']))
      const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
      const check = (): void => {
        const found = [...overlay.entries({ reverse })].map(([key, value]) => [
          String(Buffer.from(key)),
          String(Buffer.from(value)),
        ])
        const keys = [...model.keys()].sort(order)
        if (reverse) keys.reverse()
        expect(found).toEqual(keys.map((key) => [key, model.get(key)]))
      }
      for (const { key, value, readAt } of list) {
        if (value === null) {
          overlay.delete(key)
          model.delete(key)
        } else {
          overlay.set(key, value)
          model.set(key, value)
        }
        if (readAt === 0) check()
      }
      check()
    }),
    { numRuns: 50 },
  )
})
