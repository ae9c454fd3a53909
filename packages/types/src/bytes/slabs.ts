/**
 * Makes an allocator of buffers for small data that is written once. The buffers share larger buffers of `size` bytes,
 * because a separate buffer costs more than most of the data. While one buffer is in use, its whole shared buffer stays
 * in memory. Data of more than a quarter of `size` bytes gets a separate buffer.
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
