import { type Clock, createTurns } from '@org/runtime'
import { concatBytes } from '@org/types/bytes'

/** Milliseconds at once: as much of a turn as calls have together. */
const SLICE_MS = 1
/** Text that is encoded at once. */
const FLUSH_LENGTH = 64 * 1024

const encoder = new TextEncoder()

/** The bytes of a text that comes in pieces; none may end within a surrogate pair. The event loop goes on meanwhile. */
export async function gatherSlices(pieces: Iterable<string>, clock: Pick<Clock, 'monotonic'>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let text = ''
  const flush = (): void => {
    parts.push(encoder.encode(text))
    text = ''
  }
  const turns = createTurns(clock, SLICE_MS)
  for (const piece of pieces) {
    text += piece
    if (text.length >= FLUSH_LENGTH) flush()
    if (turns.isDue()) await turns.take()
  }
  flush()
  return concatBytes(...parts)
}

const isHighSurrogate = (code: number): boolean => (code & 0xfc00) === 0xd800

/** A long text in pieces that end between characters. */
export function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + FLUSH_LENGTH)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++
    yield text.slice(at, end)
    at = end
  }
}
