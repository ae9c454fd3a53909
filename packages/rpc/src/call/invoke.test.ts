import { expect, it } from 'vitest'
import { createResultCache } from './invoke.ts'

it('behavior: caches only the last answer about the latest block, and other answers while there is room', () => {
  const cache = createResultCache(100_000)
  const bytes = new Uint8Array(500)
  cache.set('block/1', bytes)
  for (let height = 1; height <= 50; height++) cache.set(`status/${height}`, bytes, 'status')
  // The same key is set twice. This happens if two concurrent calls both miss the cache and compute the answer.
  cache.set('status/50', bytes, 'status')
  expect(cache.get('status/50')).toBe(bytes)
  expect(cache.get('status/49')).toBeUndefined()
  expect(cache.get('block/1')).toBe(bytes)
  expect(cache.bytes()).toBeLessThan(3 * 500)
})
