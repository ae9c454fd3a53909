/**
 * Buffers for small things that are written once: they share larger ones of `size` bytes, as a buffer of its own costs more than most
 * of them. What stays keeps the whole of its larger one. Over a quarter of `size`: one of its own.
 */
export function createSlabs(size: number): (length: number) => Uint8Array {
  let slab = new Uint8Array(0)
  let used = 0
  return (length) => {
    if (length > size / 4) return new Uint8Array(length)
    if (used + length > slab.length) {
      slab = new Uint8Array(size)
      used = 0
    }
    used += length
    return slab.subarray(used - length, used)
  }
}
