/**
 * Allocates buffers for small data that is written once. They share larger buffers of `size` bytes, because a buffer
 * of its own costs more than most of the data. A buffer that stays in use keeps its whole shared buffer. More than a
 * quarter of `size` gets a buffer of its own.
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
