import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTxCache } from './tx-cache.ts'

test('default: a key is new once, until it is removed', () => {
  const cache = createTxCache(10)
  expect(cache.push('a')).toBe(true)
  expect(cache.push('a')).toBe(false)
  cache.remove('a')
  expect(cache.push('a')).toBe(true)
})

test('behavior: the oldest key is removed first; pushing a key again makes it the newest key', () => {
  const cache = createTxCache(2)
  cache.push('a')
  cache.push('b')
  cache.push('a')
  cache.push('c')
  expect([cache.has('a'), cache.has('b'), cache.has('c')]).toEqual([true, false, true])
})

test('behavior: capacity 0 remembers nothing', () => {
  const cache = createTxCache(0)
  expect([cache.push('a'), cache.push('a'), cache.has('a')]).toEqual([true, true, false])
})

test('behavior: equals a list model under any operations', () => {
  const operation = fc.tuple(fc.constantFrom('push', 'remove', 'reset', 'has'), fc.integer({ min: 0, max: 12 }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.array(operation, { maxLength: 200 }), (capacity, operations) => {
      const cache = createTxCache(capacity)
      let model: string[] = []
      for (const [kind, number] of operations) {
        const key = String(number)
        if (kind === 'push') {
          expect(cache.push(key)).toBe(!model.includes(key))
          if (!model.includes(key) && model.length >= capacity) model.shift()
          model = [...model.filter((other) => other !== key), key]
        } else if (kind === 'remove') {
          cache.remove(key)
          model = model.filter((other) => other !== key)
        } else if (kind === 'reset' && number === 0) {
          cache.reset()
          model = []
        }
        expect(cache.has(key)).toBe(model.includes(key))
        expect(cache.size()).toBe(model.length)
      }
    }),
  )
})
