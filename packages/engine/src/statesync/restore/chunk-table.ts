import type { ChunkFolder } from './chunk-folder.ts'
import type { RestoreOptions } from './options.ts'

export interface QueuedChunk {
  readonly index: number
  readonly chunk: Uint8Array
  /** The id of the peer that sent the chunk. */
  readonly sender: string
}

/**
 * The state of each chunk of a snapshot, and the files of the stored chunks. A chunk is requested, then it arrives and
 * is stored. Then the chunk queue takes the chunk to give it to the application. The file of a taken chunk stays on the
 * disk for a retry, until its space is needed.
 */
export interface ChunkTable {
  /** Returns the index of the lowest chunk that is not requested, or the number of chunks if all are requested. */
  readonly lowestUnrequested: () => number
  /** Returns the index of the lowest chunk that is not taken, or the number of chunks if all are taken. */
  readonly lowestUntaken: () => number
  readonly isRequested: (index: number) => boolean
  readonly isStored: (index: number) => boolean
  readonly isTaken: (index: number) => boolean
  /** Returns true if the chunk has arrived. Such a chunk is stored, or it was taken and its file was removed. */
  readonly hasArrived: (index: number) => boolean
  /**
   * Returns true if the disk has room for another chunk of the maximum size. To make room, removes files of chunks that
   * were taken for the application.
   */
  readonly makeRoom: () => boolean
  readonly request: (index: number) => void
  /** Stores a requested chunk. Throws a `RestoreError` if the disk returns an error. */
  readonly store: (chunk: QueuedChunk) => void
  /** Marks a stored chunk as taken for the application. Returns the id of the peer that sent the chunk. */
  readonly markTaken: (index: number) => string
  readonly untake: (index: number) => void
  /** Removes the file of a chunk that has arrived, and resets its state, as if the chunk had never been requested. */
  readonly forget: (index: number) => void
  /** Returns the indexes of the chunks that have arrived from these peers and are not taken. */
  readonly untakenFrom: (senders: ReadonlySet<string>) => readonly number[]
  readonly counts: () => { readonly taken: number; readonly received: number; readonly storedBytes: number }
}

/** The flags that a chunk can have. */
const REQUESTED = 1
const STORED = 2
const TAKEN = 4

/** Creates the table of a snapshot of `chunks` chunks, of which none is requested. */
export function createChunkTable(
  chunks: number,
  { maxChunkBytes, maxStoredBytes }: Pick<RestoreOptions, 'maxChunkBytes' | 'maxStoredBytes'>,
  folder: Pick<ChunkFolder, 'write' | 'remove'>,
): ChunkTable {
  const flags = new Uint8Array(chunks)
  const sizes = new Map<number, number>()
  const senders = new Map<number, string>()
  /**
   * One index for the flag `REQUESTED`, and one for the flag `TAKEN`. All chunks below the index have the flag. The
   * search for the lowest chunk without the flag begins at the index.
   */
  const lowest = { [REQUESTED]: 0, [TAKEN]: 0 }
  const counts = { taken: 0, received: 0, storedBytes: 0, underWay: 0 }

  const has = (index: number, flag: number): boolean => ((flags[index] as number) & flag) !== 0

  function set(index: number, flag: number): void {
    flags[index] = (flags[index] as number) | flag
  }

  function lowestWithout(flag: typeof REQUESTED | typeof TAKEN): number {
    while (lowest[flag] < chunks && has(lowest[flag], flag)) lowest[flag]++
    return lowest[flag]
  }

  function clear(index: number, flag: typeof REQUESTED | typeof TAKEN): void {
    flags[index] = (flags[index] as number) & ~flag
    lowest[flag] = Math.min(lowest[flag], index)
  }

  function removeFile(index: number): void {
    folder.remove(index)
    flags[index] = (flags[index] as number) & ~STORED
    counts.storedBytes -= sizes.get(index) ?? 0
    sizes.delete(index)
  }

  function untake(index: number): void {
    if (!has(index, TAKEN)) return
    clear(index, TAKEN)
    counts.taken--
  }

  return {
    lowestUnrequested: () => lowestWithout(REQUESTED),
    lowestUntaken: () => lowestWithout(TAKEN),
    isRequested: (index) => has(index, REQUESTED),
    isStored: (index) => has(index, STORED),
    isTaken: (index) => has(index, TAKEN),
    hasArrived: (index) => index < chunks && (has(index, STORED) || has(index, TAKEN)),
    makeRoom: () => {
      const maxBytes = maxStoredBytes - (counts.underWay + 1) * maxChunkBytes
      // Only the files of taken chunks may be removed. The map `sizes` has the files in the order in which the chunks
      // arrived, which is nearly the order of their indexes. Chunks are taken in the order of their indexes. So the
      // files of taken chunks are at the beginning of `sizes`, and the loop can end at the first chunk that is not
      // taken.
      for (const index of sizes.keys()) {
        if (counts.storedBytes <= maxBytes || !has(index, TAKEN)) break
        removeFile(index)
      }
      return counts.storedBytes <= maxBytes
    },
    request: (index) => {
      set(index, REQUESTED)
      counts.underWay++
    },
    store: ({ index, chunk, sender }) => {
      folder.write(index, chunk)
      set(index, STORED)
      sizes.set(index, chunk.length)
      senders.set(index, sender)
      counts.storedBytes += chunk.length
      counts.underWay--
      counts.received++
    },
    markTaken: (index) => {
      set(index, TAKEN)
      counts.taken++
      return senders.get(index) ?? ''
    },
    untake,
    forget: (index) => {
      if (has(index, STORED)) removeFile(index)
      senders.delete(index)
      counts.received--
      untake(index)
      clear(index, REQUESTED)
    },
    untakenFrom: (rejected) =>
      [...senders].filter(([index, from]) => rejected.has(from) && !has(index, TAKEN)).map(([index]) => index),
    counts: () => ({ taken: counts.taken, received: counts.received, storedBytes: counts.storedBytes }),
  }
}
