/** The functions that a reader of {@link createEventReader} calls while it reads the WebSocket stream of a server. */
export interface EventListener {
  /** Called with a height, and with the number of successive events that have this height. */
  readonly onEvents: (height: number, count: number) => void
  /** Receives the number of bytes of each message. */
  readonly onBytes: (bytes: number) => void
  readonly onPing: () => void
  /** Receives a message that is not an event, such as an answer or an error. */
  readonly onOther: () => void
}

/** The reader reads only this number of bytes at the beginning of each message. These bytes contain the height. */
const HEAD = 420
const QUOTE = 34
const MARK = '"height":"'

/** Reads the decimal number between `at` and the next quote. */
function digits(data: Uint8Array, at: number): number {
  let value = 0
  for (let i = at; data[i] !== QUOTE; i++) value = value * 10 + (data[i] as number) - 48
  return value
}

/**
 * Returns a function that reads the WebSocket frames of one connection, and finds the height of each event. All
 * events of one query have the height at the same position, which the reader takes from the first event. Therefore a
 * frame of any length costs only a few comparisons.
 */
export function createEventReader(listener: EventListener): (data: Uint8Array, from: number, to: number) => void {
  /** The position of the height in each message; 0 before the first event. */
  let offset = 0
  /** The number of bytes of the current frame that have not arrived yet. */
  let remainingBytes = 0
  /** The first bytes of an unfinished frame, if too few bytes have arrived to read the height. */
  let kept = Buffer.alloc(0)
  let height = 0
  let count = 0

  const report = (): void => {
    if (count > 0) listener.onEvents(height, count)
    count = 0
  }

  const onText = (data: Uint8Array, at: number, end: number): void => {
    if (offset === 0) {
      const text = Buffer.from(data.buffer, data.byteOffset + at, Math.min(end - at, HEAD)).toString('latin1')
      const found = text.indexOf(MARK)
      if (found < 0 || !text.includes('"result":{"query"')) {
        listener.onOther()
        return
      }
      offset = found + MARK.length
    }
    // Each event has `:"` directly before the height, at the same position as in the first event.
    if (end - at < offset || data[at + offset - 1] !== QUOTE || data[at + offset - 2] !== 58) {
      report()
      listener.onOther()
      return
    }
    const of = digits(data, at + offset)
    if (of !== height) report()
    height = of
    count++
  }

  return (chunk, from, to) => {
    let data = chunk
    let at = from
    let end = to
    if (kept.length > 0) {
      data = Buffer.concat([kept, chunk.subarray(from, to)])
      kept = Buffer.alloc(0)
      at = 0
      end = data.length
    }
    for (;;) {
      const skipped = Math.min(remainingBytes, end - at)
      at += skipped
      remainingBytes -= skipped
      if (at === end) break
      const short = (data[at + 1] ?? 0) & 0x7f
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      if (end - at < head) break
      let length = short
      if (short > 125) {
        length = 0
        for (let i = 2; i < head; i++) length = length * 256 + (data[at + i] as number)
      }
      if (end - at < head + Math.min(length, HEAD)) break
      const opcode = (data[at] as number) & 0x0f
      if (opcode === 9) listener.onPing()
      if (opcode === 1) onText(data, at + head, at + head + Math.min(length, HEAD))
      listener.onBytes(length)
      at += head
      remainingBytes = length
    }
    if (at < end) kept = Buffer.from(data.subarray(at, end))
    report()
  }
}
