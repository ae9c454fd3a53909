/** The content of a file, independent of its names. */
export interface Inode {
  bytes: Uint8Array
  size: number
  /** The number of bytes, from the beginning of the file, that are synced. */
  synced: number
  /** For each write that is not synced, the position in the file at which the write ends. */
  ends: number[]
}

/** Appends bytes to a file. */
export function append(inode: Inode, part: Uint8Array): void {
  if (inode.size + part.length > inode.bytes.length) {
    const grown = new Uint8Array(Math.max(2 * inode.bytes.length, inode.size + part.length, 256))
    grown.set(inode.bytes.subarray(0, inode.size))
    inode.bytes = grown
  }
  inode.bytes.set(part, inode.size)
  inode.size += part.length
}

export const newInode = (bytes: Uint8Array, synced: number): Inode => ({ bytes, size: bytes.length, synced, ends: [] })
