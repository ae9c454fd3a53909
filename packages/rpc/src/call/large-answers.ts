import { createSemaphore, createSharedCalls } from '@org/runtime'
import { gatherSlices, type SliceModules } from './json-slices.ts'

/**
 * The maximum number of large answers that are made at the same time. More answers at the same time would not be ready
 * earlier, because all of them together get one slice of each turn of the event loop.
 */
const MAX_AT_ONCE = 4

/**
 * An answer with fewer characters of JSON does not wait for other answers: a search that finds little must be answered
 * also while many clients request large blocks.
 */
const LARGE_ANSWER = 64 * 1024

/** The JSON of a result in pieces. The pieces keep the data of the result in memory until the last piece is made. */
type Pieces = Iterable<string> | Promise<Iterable<string>>

/** The pieces of an answer; `undefined` after they were released. */
interface Held {
  pieces: Pieces | undefined
}

/** The result of a call, if its JSON may be large. */
export interface LargeAnswer {
  /** Calls with the same key have the same result, and share the work that makes it. Absent: nothing is shared. */
  readonly key: string | undefined
  readonly pieces: Pieces
  /**
   * Loads the result again. If an answer must wait, its pieces are released, because many waiting results would take
   * much memory. The function returns the pieces, or the bytes of the whole JSON if these were made meanwhile.
   */
  readonly reload: () => Promise<Iterable<string> | Uint8Array>
  readonly modules: SliceModules
  /** Aborted when the client disconnects. The work ends when all clients that wait for it have disconnected. */
  readonly signal: AbortSignal
}

/** Makes large answers, and limits the number of answers that are made at the same time. */
export interface LargeAnswers {
  readonly make: (answer: LargeAnswer) => Promise<Uint8Array>
  /** Waits for the answer with this key. Returns `undefined` if this answer is not being made and not in the queue. */
  readonly join: (key: string, signal: AbortSignal) => Promise<Uint8Array> | undefined
  /**
   * Runs `load`, which loads a large result from a database. At most as many results are loaded at the same time as
   * answers are made.
   */
  readonly load: <T>(load: () => Promise<T>, signal: AbortSignal) => Promise<T>
}

const encoder = new TextEncoder()

/**
 * Returns the text of a short answer. Returns `undefined` if the answer is large, or if its pieces are not in memory.
 */
function shortText(pieces: Pieces | undefined): string | undefined {
  if (pieces === undefined || pieces instanceof Promise) return undefined
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length >= LARGE_ANSWER) return undefined
  }
  return text
}

export function createLargeAnswers(): LargeAnswers {
  const slots = createSemaphore(MAX_AT_ONCE)
  const loads = createSemaphore(MAX_AT_ONCE)
  const shared = createSharedCalls<string, Uint8Array>()

  async function inSlot(
    held: Held,
    { reload, modules }: Pick<LargeAnswer, 'reload' | 'modules'>,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    if (slots.isFull()) {
      const short = shortText(held.pieces)
      if (short !== undefined) return encoder.encode(short)
      held.pieces = undefined
    }
    await slots.acquire(signal)
    try {
      signal.throwIfAborted()
      const pieces = await (held.pieces ?? reload())
      held.pieces = undefined
      return pieces instanceof Uint8Array ? pieces : await gatherSlices(pieces, modules, signal)
    } finally {
      slots.release()
    }
  }

  return {
    make: ({ key, pieces, reload, modules, signal }) => {
      // If the client disconnects, or an equal call shares its result, no code waits for `pieces`. Without a handler, a
      // rejection of `pieces`, for example for an argument out of range, would end the process.
      if (pieces instanceof Promise) pieces.catch(() => undefined)
      const held: Held = { pieces }
      if (key === undefined) return inSlot(held, { reload, modules }, signal)
      return shared({ key, signal, work: (own) => inSlot(held, { reload, modules }, own) })
    },
    join: shared.join,
    load: async (load, signal) => {
      await loads.acquire(signal)
      try {
        signal.throwIfAborted()
        return await load()
      } finally {
        loads.release()
      }
    },
  }
}
