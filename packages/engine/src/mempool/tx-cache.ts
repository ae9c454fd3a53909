import type { TxKey } from './tx-key.ts'

/** The keys of recently seen transactions. A key that is pushed again becomes the newest. */
export interface TxCache {
  /** Adds a key. Returns false if the cache had the key already. */
  readonly push: (key: TxKey) => boolean
  readonly remove: (key: TxKey) => void
  /** Returns true if the cache has the key. Does not make the key newer. */
  readonly has: (key: TxKey) => boolean
  readonly reset: () => void
  readonly size: () => number
}

/**
 * Creates a cache of at most `capacity` keys. When it is full, the oldest key is removed. With a capacity of 0 it keeps
 * no key, and every pushed key counts as new.
 */
export function createTxCache(capacity: number): TxCache {
  if (capacity <= 0) {
    return { push: () => true, remove: () => undefined, has: () => false, reset: () => undefined, size: () => 0 }
  }
  const keys = new Set<TxKey>()
  // This iterator is used as long as `keys` exists. Each key that the iterator has returned was deleted, so the next
  // key that it returns is the oldest key. A new iterator would first skip all deleted keys, which takes time.
  let oldest = keys.values()
  return {
    push: (key) => {
      if (keys.has(key)) {
        keys.delete(key)
        keys.add(key)
        return false
      }
      if (keys.size >= capacity) keys.delete(oldest.next().value as TxKey)
      keys.add(key)
      return true
    },
    remove: (key) => void keys.delete(key),
    has: (key) => keys.has(key),
    reset: () => {
      keys.clear()
      oldest = keys.values()
    },
    size: () => keys.size,
  }
}
