import type { TxKey } from './tx-key.ts'

/** The keys of transactions seen lately. A key that is pushed again becomes the newest. */
export interface TxCache {
  /** False if it was there before. */
  readonly push: (key: TxKey) => boolean
  readonly remove: (key: TxKey) => void
  /** Does not count as a use. */
  readonly has: (key: TxKey) => boolean
  readonly reset: () => void
  readonly size: () => number
}

/** At most `capacity` keys; the oldest gives way. With 0, nothing is remembered and every push is new. */
export function createTxCache(capacity: number): TxCache {
  if (capacity <= 0) {
    return { push: () => true, remove: () => undefined, has: () => false, reset: () => undefined, size: () => 0 }
  }
  const keys = new Set<TxKey>()
  // One iterator for the set's life: what it has passed was deleted, so its next key is the oldest. A fresh one each time
  // would step over all holes that deletions leave at the front.
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
