import type { Snapshot } from '@org/types/abci'

/**
 * The place of the snapshots that were made, in the order of their heights. It holds only snapshots that are complete.
 */
export interface SnapshotArchive {
  readonly list: () => readonly Snapshot[]
  /** Reads a chunk; `undefined` if the chunk does not exist or its bytes have changed since they were written. */
  readonly chunk: (height: number, index: number) => Promise<Uint8Array | undefined>
  /** Begins a snapshot. A snapshot that was begun before and not ended is removed. */
  readonly begin: () => Promise<SnapshotWriter>
  /** Removes a snapshot. The list does not contain the snapshot any more when the call returns. */
  readonly remove: (height: number) => Promise<void>
  /** The maximum number of bytes of a snapshot. */
  readonly maxBytes: number
}

export interface SnapshotWriter {
  /** Adds the next chunk. The caller may use its bytes again when this resolves. */
  readonly add: (chunk: Uint8Array) => Promise<void>
  /** Lists the snapshot, from now on also after a crash. */
  readonly finish: (snapshot: Snapshot) => Promise<void>
  readonly abandon: () => Promise<void>
}

export const byHeight = (a: Snapshot, b: Snapshot): number => a.height - b.height
