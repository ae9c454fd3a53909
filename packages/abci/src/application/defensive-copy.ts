import { createSlabs } from '@org/types/bytes'

/**
 * The number of bytes of a buffer that several copies share. A separate allocation for each copy would take several
 * times as long.
 */
const SLAB = 64 * 1024

/**
 * Creates a function that copies requests. An application may change such a copy, and the objects and bytes of the node
 * stay the same.
 */
export function createDefensiveCopy(): <T>(value: T) => T {
  const bufferOf = createSlabs(SLAB)

  function ownBytes(bytes: Uint8Array): Uint8Array {
    // Empty bytes need no copy, because an application cannot change them. Also, a copy would change the JSON of a
    // request: only the object `EMPTY_BYTES` itself is written as an absent value.
    if (bytes.length === 0) return bytes
    const copy = bufferOf(bytes.length)
    copy.set(bytes)
    return copy
  }

  function ownCopy<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof Uint8Array) return ownBytes(value) as T
    if (Array.isArray(value)) return value.map(ownCopy) as T
    const copy = { ...value } as Record<string, unknown>
    for (const key in copy) {
      const member = copy[key]
      if (typeof member === 'object') copy[key] = ownCopy(member)
    }
    return copy as T
  }

  return ownCopy
}
