/**
 * Makes an allocator of buffers for small data that is written once. A separate buffer takes more memory than the small
 * data in it. So the allocator returns parts of larger buffers, each of `size` bytes. A larger buffer stays in memory
 * while any of its parts is in use. Data of more than a quarter of `size` bytes gets a separate buffer.
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
