/** What a loss of power can leave of a file. */
export interface FileEnd {
  readonly size: number
  /** Stretches whose blocks did not get to the disk: they read as zeros. */
  readonly zeros: readonly (readonly [from: number, to: number])[]
}

export interface UnsyncedFile {
  readonly size: number
  readonly synced: number
  /** Where each write ended that was not forced. */
  readonly ends: readonly number[]
}

/** What a disk writes whole or not at all. */
const SECTOR = 512
/** Inside the first eight bytes of a record, where the log has length and checksum. */
const INSIDE_HEAD = 5

/**
 * The ends of a file of which bytes were appended and not forced, one of each sort: nothing of them is there, all is, it ends at a
 * write or within one, it has its length but not its bytes, or it lacks a block in front of others that are there.
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
  // The first block that is not forced, whose beginning may be.
  const second = (Math.floor(synced / SECTOR) + 1) * SECTOR
  if (second < size) {
    found.push({ size, zeros: [[synced, second]] })
    const middle = Math.max(second, Math.floor((second + size) / 2 / SECTOR) * SECTOR)
    if (middle < size) found.push({ size, zeros: [[middle, Math.min(size, middle + SECTOR)]] })
    found.push({ size, zeros: [[second, size]] })
  }
  return found
}
