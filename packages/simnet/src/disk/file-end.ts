/** A state of a file that a power failure can leave. */
export interface FileEnd {
  readonly size: number
  /** The ranges of bytes whose disk blocks were not written. These bytes read as zeros. */
  readonly zeros: readonly (readonly [from: number, to: number])[]
}

export interface UnsyncedFile {
  readonly size: number
  readonly synced: number
  /** The offsets in the file at which the unsynced writes end. */
  readonly ends: readonly number[]
}

/** The size of a disk block in bytes. A disk writes each block completely or not at all. */
const SECTOR = 512
/**
 * The file is cut this number of bytes after the beginning of a record, so that the cut is inside the head of the
 * record. The head is the first eight bytes: the length of the record and its checksum.
 */
const INSIDE_HEAD = 5

/**
 * Returns one example of each kind of end that a power failure can leave, if a file has unsynced bytes at its end.
 * Either all or none of these bytes are written. Or the file ends after a write or inside a write. Or the file has its
 * full length, but zeros in place of the bytes. Or a disk block is missing, and later blocks are written.
 */
export function endsOf({ size, synced, ends }: UnsyncedFile): readonly FileEnd[] {
  const between = ends.filter((end) => end > synced && end < size)
  const [first = size, last = synced] = [between[0], between.at(-1)]
  const cuts = [
    synced,
    size,
    first,
    last,
    synced + INSIDE_HEAD,
    Math.floor((synced + first) / 2),
    Math.floor((last + size) / 2),
    size - 1,
  ]
  const kept = [...new Set(cuts)].filter((cut) => cut >= synced && cut <= size)
  const found: FileEnd[] = kept.map((cut) => ({ size: cut, zeros: [] }))
  found.push({ size, zeros: [[synced, size]] })
  // The end of the first disk block that has unsynced bytes. This block may begin with synced bytes.
  const second = (Math.floor(synced / SECTOR) + 1) * SECTOR
  if (second < size) {
    found.push({ size, zeros: [[synced, second]] })
    const middle = Math.max(second, Math.floor((second + size) / 2 / SECTOR) * SECTOR)
    if (middle < size) found.push({ size, zeros: [[middle, Math.min(size, middle + SECTOR)]] })
    found.push({ size, zeros: [[second, size]] })
  }
  return found
}
