import type { Clock } from '@org/runtime'
import type { ChunkFolder } from './chunk-folder.ts'
import { createChunkTable, type QueuedChunk } from './chunk-table.ts'
import { createChunkTimeout } from './chunk-timeout.ts'
import type { RestoreOptions } from './options.ts'

export type NextChunk =
  | { readonly type: 'chunk'; readonly value: QueuedChunk }
  /** The method `next` has already returned all chunks. */
  | { readonly type: 'done' }
  /** The next chunk has not arrived in time, or the average rate of all chunks is too low. */
  | { readonly type: 'timeout' }
  /** The queue was stopped. */
  | { readonly type: 'stopped' }

/**
 * The chunks of one snapshot, with the state of each: requested, stored, or taken (returned by `next`). Chunks may
 * arrive in any order, but they are taken in the order of their indexes. Taken chunks stay on the disk for a retry,
 * until their space is needed.
 */
export interface ChunkQueue {
  /**
   * Returns the index of the lowest chunk that is not requested, and marks this chunk as requested. Returns `undefined`
   * if all chunks are requested, if the queue may request no more chunks before the application takes some, or if the
   * disk has no room.
   */
  readonly allocate: () => number | undefined
  /**
   * Stores a chunk. Returns false if the chunk has arrived before, or is not wanted. Throws a `RestoreError` if the
   * disk returns an error.
   */
  readonly add: (chunk: QueuedChunk) => boolean
  /** Waits for the next chunk, and takes it. Only one caller may wait at a time. */
  readonly next: () => Promise<NextChunk>
  /** Removes a received chunk. The node then requests it again, and `next` returns it again. */
  readonly discard: (index: number) => void
  /** Removes the chunks that these peers sent and that have not been taken, so that they are requested again. */
  readonly discardFrom: (rejected: ReadonlySet<string>) => void
  /** Marks the chunk, so that `next` returns it again. If its file was removed, the node first requests it again. */
  readonly retry: (index: number) => void
  readonly retryAll: () => void
  /** Stops the queue: `next` returns `stopped`, or rejects with the error if there is one. */
  readonly stop: (error?: Error) => void
  /** Aborts when the queue is stopped. */
  readonly signal: AbortSignal
  readonly counts: () => { readonly taken: number; readonly received: number; readonly storedBytes: number }
}

/**
 * For each chunk that the application takes, the node may request this number of further chunks. Because the number is
 * greater than 1, the node fetches chunks faster than the application takes them. So the node probably has all chunks
 * before its peers remove the snapshot.
 */
const REQUESTS_PER_TAKEN = 2

/** The reason of the abort if the queue was stopped without an error. */
const WITHOUT_ERROR = 'the queue is stopped'

export interface ChunkQueueModules {
  readonly folder: ChunkFolder
  readonly clock: Clock
  /** Called when the method `allocate` of the queue can probably return another chunk. */
  readonly onOpen: () => void
}

export type ChunkQueueOptions = Pick<
  RestoreOptions,
  'chunksAhead' | 'chunkWaitMs' | 'minChunkRate' | 'msPerChunk' | 'maxChunkBytes' | 'maxStoredBytes'
>

/** Creates the queue for a snapshot of `chunks` chunks. */
export function createChunkQueue(
  chunks: number,
  options: ChunkQueueOptions,
  { folder, clock, onOpen }: ChunkQueueModules,
): ChunkQueue {
  const { chunksAhead, chunkWaitMs } = options
  const table = createChunkTable(chunks, options, folder)
  const timeout = createChunkTimeout(options, clock)
  const ended = new AbortController()
  const { signal } = ended

  async function takeChunk(index: number): Promise<QueuedChunk | undefined> {
    const chunk = await folder.read(index)
    if (!table.isStored(index)) return undefined
    if (chunk === undefined) {
      // The file is missing because another program has removed it. So the chunk is requested again.
      table.forget(index)
      onOpen()
      return undefined
    }
    const sender = table.markTaken(index)
    // The file of a taken chunk can be removed to make room on the disk. So there may now be room to request another
    // chunk.
    onOpen()
    return { index, chunk, sender }
  }

  async function next(): Promise<NextChunk> {
    const until = clock.monotonic() + chunkWaitMs
    for (;;) {
      if (signal.reason === WITHOUT_ERROR) return { type: 'stopped' }
      signal.throwIfAborted()
      const index = table.lowestUntaken()
      if (index >= chunks) return { type: 'done' }
      if (table.isStored(index)) {
        const value = await takeChunk(index)
        if (value !== undefined) return { type: 'chunk', value }
      } else if (!(await timeout.wait(until - clock.monotonic()))) {
        return { type: 'timeout' }
      }
    }
  }

  signal.addEventListener('abort', timeout.wake, { once: true })
  return {
    allocate: () => {
      const index = table.lowestUnrequested()
      if (signal.aborted || index >= chunks) return undefined
      if (index >= chunksAhead + REQUESTS_PER_TAKEN * table.lowestUntaken()) return undefined
      // The chunk that must be taken next is requested even if there is no room on the disk, because room becomes free
      // only when chunks are taken.
      if (!table.makeRoom() && index !== table.lowestUntaken()) return undefined
      table.request(index)
      return index
    },
    add: (chunk) => {
      if (signal.aborted || table.hasArrived(chunk.index) || !table.isRequested(chunk.index)) return false
      table.store(chunk)
      timeout.extend(chunk.chunk.length)
      timeout.wake()
      return true
    },
    next,
    discard: (index) => {
      if (!table.hasArrived(index)) return
      table.forget(index)
      onOpen()
    },
    discardFrom: (rejected) => {
      const untaken = table.untakenFrom(rejected)
      for (const index of untaken) table.forget(index)
      if (untaken.length > 0) onOpen()
    },
    retry: (index) => {
      if (!table.hasArrived(index)) return
      if (table.isStored(index)) table.untake(index)
      else table.forget(index)
      onOpen()
    },
    retryAll: () => {
      for (let index = 0; index < chunks; index++) {
        if (table.isStored(index)) table.untake(index)
        else if (table.isTaken(index)) table.forget(index)
      }
      onOpen()
    },
    stop: (error) => ended.abort(error ?? WITHOUT_ERROR),
    signal,
    counts: table.counts,
  }
}
