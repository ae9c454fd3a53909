/**
 * The number of bytes of a buffer that several copies share. A separate allocation for each copy would take several
 * times as long.
 */
const SLAB = 64 * 1024
/**
 * The maximum number of bytes of a copy in a shared buffer. If a copy does not fit into the rest of the shared buffer,
 * a new shared buffer is made, and the rest stays unused. So a longer copy gets a separate buffer, which keeps the
 * unused rest short.
 */
const MAX_IN_SLAB = SLAB / 16

/**
 * Creates a function that copies requests. An application may change such a copy, and the objects and bytes of the node
 * stay the same.
 */
export function createDefensiveCopy(): <T>(value: T) => T {
  let slab = new Uint8Array(0)
  let used = 0

  function ownBytes(bytes: Uint8Array): Uint8Array {
    const { length } = bytes
    // Empty bytes need no copy, because an application cannot change them. Also, a copy would change the JSON of a
    // request: only the object `EMPTY_BYTES` itself is written as an absent value.
    if (length === 0) return bytes
    // `slice` would return a view if `bytes` is a `Buffer`.
    if (length > MAX_IN_SLAB) return new Uint8Array(bytes)
    if (used + length > slab.length) {
      slab = new Uint8Array(SLAB)
      used = 0
    }
    slab.set(bytes, used)
    const copy = new Uint8Array(slab.buffer, used, length)
    used += length
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
