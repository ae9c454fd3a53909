import type { Clock } from '@org/runtime'
import type { ChunkFolder } from './chunk-folder.ts'
import type { RestoreOptions } from './options.ts'

export interface QueuedChunk {
  readonly index: number
  readonly chunk: Uint8Array
  /** The id of the peer that sent the chunk. */
  readonly sender: string
}

export type NextChunk =
  | { readonly type: 'chunk'; readonly value: QueuedChunk }
  /** All chunks have been taken. */
  | { readonly type: 'done' }
  /** The next chunk has not come in time, or the average rate of all chunks is too low. */
  | { readonly type: 'timeout' }
  /** The queue was stopped. */
  | { readonly type: 'stopped' }

/**
 * The chunks of one snapshot, with the state of each: requested, stored, taken. Chunks may arrive in any order, but
 * they are taken in the order of their indexes. Taken chunks stay on the disk for a retry, until their space is needed.
 */
export interface ChunkQueue {
  /**
   * Returns the index of the lowest chunk that is not requested, and marks it as requested. Returns `undefined` if all
   * chunks are requested, if the queue is far enough ahead of the application, or if there is no room on the disk.
   */
  readonly allocate: () => number | undefined
  /**
   * Stores a chunk. Returns false if the chunk has come before, or is not wanted. Throws a `RestoreError` if the disk
   * returns an error.
   */
  readonly add: (chunk: QueuedChunk) => boolean
  /** Waits for the next chunk, and takes it. Only one caller may wait at a time. */
  readonly next: () => Promise<NextChunk>
  /** Removes a received chunk. The node then requests it again, and `next` returns it again. */
  readonly discard: (index: number) => void
  /** Removes the chunks that these peers sent and that have not been taken, so that they are requested again. */
  readonly discardFrom: (rejected: ReadonlySet<string>) => void
  /** Marks the chunk, so that it is taken again. If its file was removed, it is requested again first. */
  readonly retry: (index: number) => void
  readonly retryAll: () => void
  /** Stops the queue: `next` returns `stopped`, or rejects with the error if there is one. */
  readonly stop: (error?: Error) => void
  readonly counts: () => { readonly taken: number; readonly received: number; readonly storedBytes: number }
}

/**
 * For each chunk that the application takes, this many further chunks may be requested. With more than one, the node
 * fetches chunks faster than the application takes them. So it probably has all chunks before its peers remove the
 * snapshot.
 */
const REQUESTS_PER_TAKEN = 2

/** The flags that a chunk can have. */
const REQUESTED = 1
const STORED = 2
const TAKEN = 4

export interface ChunkQueueModules {
  readonly folder: ChunkFolder
  readonly clock: Clock
  /** Called when `allocate` can probably return another chunk. */
  readonly onOpen: () => void
}

export type ChunkQueueOptions = Pick<
  RestoreOptions,
  'chunksAhead' | 'chunkWaitMs' | 'minChunkRate' | 'msPerChunk' | 'maxChunkBytes' | 'maxStoredBytes'
>

/**
 * Creates the queue for a snapshot of `chunks` chunks. The function is long because it contains all operations of the
 * queue, which change the same flags and counts.
 */
export function createChunkQueue(
  chunks: number,
  { chunksAhead, chunkWaitMs, minChunkRate, msPerChunk, maxChunkBytes, maxStoredBytes }: ChunkQueueOptions,
  { folder, clock, onOpen }: ChunkQueueModules,
): ChunkQueue {
  const flags = new Uint8Array(chunks)
  const sizes = new Map<number, number>()
  const senders = new Map<number, string>()
  /**
   * One index for each of two flags. All chunks below the index have the flag. So a search for a chunk without the flag
   * begins at the index.
   */
  const lowest = { [REQUESTED]: 0, [TAKEN]: 0 }
  const counts = { taken: 0, received: 0, storedBytes: 0, underWay: 0 }
  /**
   * The total time for which `next` may still wait, for all chunks together, in milliseconds. Each chunk that comes
   * adds a time that depends on its size. So peers cannot delay state sync by sending each chunk just before the time
   * limit for one chunk.
   */
  let patienceMs = chunkWaitMs
  let stopped: { readonly error: Error | undefined } | undefined
  let wake: () => void = () => undefined

  const has = (index: number, flag: number): boolean => ((flags[index] as number) & flag) !== 0

  /** Returns the index of the lowest chunk without the flag, or the number of chunks if all have the flag. */
  function lowestWithout(flag: typeof REQUESTED | typeof TAKEN): number {
    while (lowest[flag] < chunks && has(lowest[flag], flag)) lowest[flag]++
    return lowest[flag]
  }

  function clear(index: number, flag: typeof REQUESTED | typeof TAKEN): void {
    flags[index] = (flags[index] as number) & ~flag
    lowest[flag] = Math.min(lowest[flag], index)
  }

  /** Removes the file of a stored chunk. */
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

  /** Removes the file of a chunk that has come, and resets its flags, as if the chunk had never been requested. */
  function forget(index: number): void {
    if (has(index, STORED)) removeFile(index)
    senders.delete(index)
    counts.received--
    untake(index)
    clear(index, REQUESTED)
  }

  /** Returns true if the chunk has come. A chunk that has come is stored, or it was taken and its file was removed. */
  const hasCome = (index: number): boolean => index < chunks && (has(index, STORED) || has(index, TAKEN))

  /**
   * Returns true if the disk has room for another chunk of the maximum size. To make room, removes the files of taken
   * chunks.
   */
  function hasRoom(): boolean {
    const most = maxStoredBytes - (counts.underWay + 1) * maxChunkBytes
    // The files are in the order of arrival, which is close to the order of the indexes. So the taken chunks are at the
    // front.
    for (const index of sizes.keys()) {
      if (counts.storedBytes <= most || !has(index, TAKEN)) break
      removeFile(index)
    }
    return counts.storedBytes <= most
  }

  /** Waits until a chunk comes or the queue is stopped. Returns false if the time is over before that. */
  async function arrival(left: number): Promise<boolean> {
    const from = clock.monotonic()
    const isInTime = await new Promise<boolean>((resolve) => {
      const timer = clock.after(Math.min(left, patienceMs), () => resolve(false))
      wake = () => {
        timer.cancel()
        resolve(true)
      }
    })
    patienceMs -= clock.monotonic() - from
    return isInTime
  }

  async function take(index: number): Promise<QueuedChunk | undefined> {
    const chunk = await folder.read(index)
    if (!has(index, STORED)) return undefined
    if (chunk === undefined) {
      // The file is missing because another program has removed it. So the chunk is requested again.
      forget(index)
      onOpen()
      return undefined
    }
    flags[index] = (flags[index] as number) | TAKEN
    counts.taken++
    // The file of a taken chunk can be removed to make room on the disk. So there may now be room to request another
    // chunk.
    onOpen()
    return { index, chunk, sender: senders.get(index) ?? '' }
  }

  async function next(): Promise<NextChunk> {
    const until = clock.monotonic() + chunkWaitMs
    for (;;) {
      if (stopped?.error !== undefined) throw stopped.error
      if (stopped !== undefined) return { type: 'stopped' }
      const index = lowestWithout(TAKEN)
      if (index >= chunks) return { type: 'done' }
      if (has(index, STORED)) {
        const value = await take(index)
        if (value !== undefined) return { type: 'chunk', value }
      } else if (!(await arrival(until - clock.monotonic()))) {
        return { type: 'timeout' }
      }
    }
  }

  return {
    allocate: () => {
      const index = lowestWithout(REQUESTED)
      if (stopped !== undefined || index >= chunks) return undefined
      if (index >= chunksAhead + REQUESTS_PER_TAKEN * lowestWithout(TAKEN)) return undefined
      // The chunk that must be taken next is requested even if there is no room on the disk, because room becomes free
      // only when chunks are taken.
      if (!hasRoom() && index !== lowestWithout(TAKEN)) return undefined
      flags[index] = (flags[index] as number) | REQUESTED
      counts.underWay++
      return index
    },
    add: ({ index, chunk, sender }) => {
      if (stopped !== undefined || hasCome(index) || !has(index, REQUESTED)) return false
      folder.write(index, chunk)
      flags[index] = (flags[index] as number) | STORED
      sizes.set(index, chunk.length)
      senders.set(index, sender)
      counts.storedBytes += chunk.length
      counts.underWay--
      counts.received++
      patienceMs += msPerChunk + (chunk.length / minChunkRate) * 1000
      wake()
      return true
    },
    next,
    discard: (index) => {
      if (!hasCome(index)) return
      forget(index)
      onOpen()
    },
    discardFrom: (rejected) => {
      const untaken = [...senders].filter(([index, from]) => rejected.has(from) && !has(index, TAKEN))
      for (const [index] of untaken) forget(index)
      if (untaken.length > 0) onOpen()
    },
    retry: (index) => {
      if (!hasCome(index)) return
      if (has(index, STORED)) untake(index)
      else forget(index)
      onOpen()
    },
    retryAll: () => {
      for (let index = 0; index < chunks; index++) {
        if (has(index, STORED)) untake(index)
        else if (has(index, TAKEN)) forget(index)
      }
      onOpen()
    },
    stop: (error) => {
      stopped ??= { error }
      wake()
    },
    counts: () => ({ taken: counts.taken, received: counts.received, storedBytes: counts.storedBytes }),
  }
}
