import type { Clock } from '@org/runtime'

/** The event loop is held for so long, in milliseconds; then others have their turn. */
const TURN_MS = 5
/** Text that is encoded at once. */
const FLUSH_LENGTH = 64 * 1024

const encoder = new TextEncoder()
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The bytes of a text that comes in pieces; none may end within a surrogate pair. The event loop goes on meanwhile. */
export async function gatherSlices(pieces: Iterable<string>, clock: Pick<Clock, 'monotonic'>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  let text = ''
  const flush = (): void => {
    const bytes = encoder.encode(text)
    parts.push(bytes)
    length += bytes.length
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
  return joined(parts, length)
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
