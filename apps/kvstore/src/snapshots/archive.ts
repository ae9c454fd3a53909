import type { Snapshot } from '@org/types/abci'

/** A store of complete snapshots. `list` returns the snapshots in ascending order of their heights. */
export interface SnapshotArchive {
  readonly list: () => readonly Snapshot[]
  /** Reads a chunk; `undefined` if the chunk does not exist or its bytes have changed since they were written. */
  readonly chunk: (height: number, index: number) => Promise<Uint8Array | undefined>
  /** Begins a new snapshot. Removes a snapshot that was begun before and is not complete. */
  readonly begin: () => Promise<SnapshotWriter>
  /** Removes a snapshot. The snapshot leaves the list at once, even before the promise settles. */
  readonly remove: (height: number) => Promise<void>
  /** The maximum number of bytes of a snapshot in this archive. */
  readonly maxBytes: number
}

/** A snapshot that is being written, chunk by chunk, until `finish` or `abandon`. */
export interface SnapshotWriter {
  /** Adds the next chunk. The caller may overwrite the bytes of the chunk after the promise has resolved. */
  readonly add: (chunk: Uint8Array) => Promise<void>
  /**
   * Completes the snapshot and adds it to the list of the archive. After a crash, an archive in a folder still has the
   * snapshot. An archive in memory loses all its snapshots in a crash.
   */
  readonly finish: (snapshot: Snapshot) => Promise<void>
  readonly abandon: () => Promise<void>
}

export const byHeight = (a: Snapshot, b: Snapshot): number => a.height - b.height
