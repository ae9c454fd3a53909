import type { Clock } from '@org/runtime'
import { concatBytes } from '@org/types/bytes'

/** The event loop is held for so long, in milliseconds; then others have their turn. */
const TURN_MS = 5
/** Text that is encoded at once. */
const FLUSH_LENGTH = 64 * 1024

const encoder = new TextEncoder()
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The bytes of a text that comes in pieces; none may end within a surrogate pair. The event loop goes on meanwhile. */
export async function gatherSlices(pieces: Iterable<string>, clock: Pick<Clock, 'monotonic'>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let text = ''
  const flush = (): void => {
    parts.push(encoder.encode(text))
    text = ''
  }
  let turn = clock.monotonic()
  for (const piece of pieces) {
    text += piece
    if (text.length >= FLUSH_LENGTH) flush()
    if (clock.monotonic() - turn < TURN_MS) continue
    await nextTurn()
    turn = clock.monotonic()
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
