import { createSemaphore, createSharedCalls } from '@org/runtime'
import { INDEX_ERRORS, IndexError } from '../errors.ts'

/** The result of a search. */
export interface Found {
  readonly byteLength: number
}

export interface SearchKey {
  readonly text: string
  /** Returns a number that grows when the result of this search may have changed. */
  readonly generation: () => number
}

export interface SharedSearches<T extends Found> {
  /**
   * Returns the result of an equal search that is running, or whose result was kept. If there is no such search, calls
   * `find`.
   */
  readonly find: (
    key: SearchKey,
    find: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ) => Promise<T>
}

/** The approximate memory of a kept result in addition to its hits, in bytes. */
const OVERHEAD = 256
/**
 * The maximum number of searches that run at the same time. More searches at the same time would only slow each other
 * down and take memory.
 */
const AT_ONCE = 2
/**
 * Two limits for the searches that wait. `MAX_WAITING` is the maximum number of these searches. `MAX_WAITING_LENGTH` is
 * the maximum number of characters of all their queries together. The second limit is needed because each waiting
 * search keeps its parsed query in memory.
 */
const MAX_WAITING = 256
const MAX_WAITING_LENGTH = 1 << 20

/**
 * Creates {@link SharedSearches}. Equal searches at the same time share one run. The most recently used results are
 * kept, up to `maxBytes` of memory.
 */
export function createSharedSearches<T extends Found>({ maxBytes }: { readonly maxBytes: number }): SharedSearches<T> {
  const shared = createSharedCalls<string, T>()
  /** The kept results. The result that was used last is at the end. */
  const kept = new Map<string, { readonly generation: number; readonly result: T; readonly bytes: number }>()
  let bytes = 0
  const semaphore = createSemaphore(AT_ONCE)
  /** The total number of characters of the waiting queries. */
  let queued = 0

  /**
   * Waits until the search may run. Throws `INDEX_BUSY` if too many searches wait already. If the signal aborts because
   * no caller waits for the search any more, throws the signal's reason.
   */
  async function enter({ length }: string, signal: AbortSignal): Promise<void> {
    if (!semaphore.isFull()) return semaphore.acquire()
    const waiting = semaphore.waiting()
    if (waiting >= MAX_WAITING || queued + length > MAX_WAITING_LENGTH) {
      throw new IndexError(INDEX_ERRORS.busy, `too many searches are pending (${waiting}): try again later`, {
        data: { waiting, limit: MAX_WAITING },
      })
    }
    queued += length
    try {
      await semaphore.acquire(signal)
    } finally {
      queued -= length
    }
  }

  async function inTurn(text: string, find: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    await enter(text, signal)
    try {
      signal.throwIfAborted()
      return await find(signal)
    } finally {
      semaphore.release()
    }
  }

  function drop(text: string): void {
    bytes -= kept.get(text)?.bytes ?? 0
    kept.delete(text)
  }

  function keep(text: string, generation: number, result: T): void {
    drop(text)
    const entry = { generation, result, bytes: result.byteLength + text.length * 2 + OVERHEAD }
    if (entry.bytes > maxBytes) return
    kept.set(text, entry)
    bytes += entry.bytes
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
  }

  return {
    find: async (key, find, signal) => {
      signal?.throwIfAborted()
      const { text } = key
      const generation = key.generation()
      const known = kept.get(text)
      if (known?.generation === generation) {
        kept.delete(text)
        kept.set(text, known)
        return known.result
      }
      drop(text)
      const work = async (running: AbortSignal): Promise<T> => {
        const result = await inTurn(text, find, running)
        if (key.generation() === generation) keep(text, generation, result)
        return result
      }
      // The number `generation` grows when the result of this search may have changed. With this number in the key, the
      // search never shares the run of an equal search that began before the number grew.
      return shared({ key: `${generation} ${text}`, work, signal })
    },
  }
}
