import type { Clock } from '@org/runtime'
import type { Pace } from './call-pace.ts'

/**
 * The length of one slice of long work, such as the writing of a large JSON, in milliseconds. All calls together get
 * one slice in each turn of the event loop.
 */
const SLICE_MS = 1
/**
 * Short texts are collected until they have this number of characters, and then encoded together. A longer text is cut
 * into pieces of this length.
 */
const FLUSH_LENGTH = 64 * 1024

const encoder = new TextEncoder()

export interface SliceModules {
  readonly clock: Pick<Clock, 'monotonic'>
  /**
   * The pace of the node's calls. Its function `pause` resolves when the next slice may run. All long calls share this
   * object: together they run one slice in each turn of the event loop, and short calls run between the slices.
   */
  readonly pace: Pick<Pace, 'pause'>
}

/** Cuts long work into slices. The work calls `if (slices.isDue()) await slices.pause()` between its steps. */
export interface Slices {
  readonly isDue: () => boolean
  readonly pause: () => Promise<void>
}

export function createSlices({ clock, pace }: SliceModules): Slices {
  let since = clock.monotonic()
  return {
    isDue: () => clock.monotonic() - since > SLICE_MS,
    pause: async () => {
      await pace.pause()
      since = clock.monotonic()
    },
  }
}

/**
 * Returns the bytes of a text that comes in pieces. No piece may end within a surrogate pair. Other tasks run between
 * the pieces. If the signal aborts, rejects with its reason.
 */
export async function gatherSlices(
  pieces: Iterable<string>,
  modules: SliceModules,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let text = ''
  const flush = (): void => {
    parts.push(encoder.encode(text))
    text = ''
  }
  const slices = createSlices(modules)
  const pause = async (): Promise<void> => {
    await slices.pause()
    signal?.throwIfAborted()
  }
  for (const piece of pieces) {
    text += piece
    if (text.length >= FLUSH_LENGTH) flush()
    if (slices.isDue()) await pause()
  }
  flush()
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
    if (slices.isDue()) await pause()
  }
  return whole
}

/** The functions that write the JSON of a value, such as an element of a list, as one text or in pieces. */
export interface InPieces<T> {
  readonly stringify: (this: void, item: T) => string
  /**
   * Returns the pieces of the JSON of a large value; `undefined` for a small value. If this function is absent, every
   * value is written as one text.
   */
  readonly pieces?: (this: void, item: T) => Iterable<string> | undefined
}

/** The JSON of a result that contains a list. `empty` is the JSON of the same result with an empty list. */
export function* piecesOfList<T>(
  empty: string,
  items: readonly T[],
  { stringify, pieces }: InPieces<T>,
): Generator<string> {
  const at = empty.indexOf('[') + 1
  yield empty.slice(0, at)
  let before = ''
  for (const item of items) {
    if (before !== '') yield before
    const parts = pieces?.(item)
    if (parts === undefined) yield stringify(item)
    else yield* parts
    before = ','
  }
  yield empty.slice(at)
}

const isHighSurrogate = (code: number): boolean => (code & 0xfc00) === 0xd800

/** A long text in pieces. No piece ends within a surrogate pair. */
export function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + FLUSH_LENGTH)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
    yield text.slice(at, end)
    at = end
  }
}
