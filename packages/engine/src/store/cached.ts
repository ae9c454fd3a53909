import type { LRUCache } from 'lru-cache'

/**
 * Returns the cached value. If the cache has no value for the height, calls `load` and caches its result, unless the
 * result is `undefined`.
 */
export function cached<T extends object | undefined>(
  cache: LRUCache<number, NonNullable<T>>,
  height: number,
  load: () => T,
): T {
  const known = cache.get(height)
  if (known !== undefined) return known
  const value = load()
  if (value !== undefined) cache.set(height, value)
  return value
}
