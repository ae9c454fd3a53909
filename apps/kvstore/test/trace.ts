import { recording, recordingLines } from '@org/golden'

interface Listed {
  readonly conn: number
  readonly dir: 'request' | 'response'
  readonly offset: number
  readonly prefix: number
  readonly length: number
  readonly type: string
}

interface Arrival {
  readonly conn: number
  readonly dir?: 'request' | 'response'
  readonly offset?: number
  readonly length?: number
}

export interface TraceMessage extends Listed {
  /** The message as it was sent: its length as a prefix, and then its content. */
  readonly bytes: Uint8Array
}

/** The messages of a recorded trace in the order in which they arrived, over all connections. */
export function traceMessages(trace: string): TraceMessage[] {
  const streams = new Map<string, Uint8Array>()
  const stream = (conn: number, dir: string): Uint8Array => {
    const name = `${trace}/conn${conn}.${dir}.bin`
    const known = streams.get(name) ?? recording(name)
    streams.set(name, known)
    return known
  }
  const arrivals = recordingLines<Arrival>(`${trace}/index.jsonl`)
  /**
   * Returns the position of a message in the order of arrival. A connection delivers its bytes in pieces, which are the
   * items of `arrivals`. The result is the index of the piece that contains the end of the message.
   */
  const arrivalOf = ({ conn, dir, offset, prefix, length }: Listed): number =>
    arrivals.findIndex(
      (arrival) =>
        arrival.conn === conn &&
        arrival.dir === dir &&
        (arrival.offset ?? 0) + (arrival.length ?? 0) >= offset + prefix + length,
    )
  return recordingLines<Listed>(`${trace}/messages.jsonl`)
    .map((listed) => ({ listed, at: arrivalOf(listed) }))
    .sort((a, b) => a.at - b.at || a.listed.offset - b.listed.offset)
    .map(({ listed }) => {
      const { conn, dir, offset, prefix, length } = listed
      return { ...listed, bytes: stream(conn, dir).subarray(offset, offset + prefix + length) }
    })
}

/** Returns the frames of a stream in hex, without the lengths before them. */
export function readFrames(stream: Uint8Array): string[] {
  const frames: string[] = []
  for (let at = 0; at < stream.length; ) {
    let length = 0
    for (let shift = 0; ; shift += 7) {
      const byte = stream[at++] ?? 0
      length += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    frames.push(Buffer.from(stream.subarray(at, at + length)).toString('hex'))
    at += length
  }
  return frames
}
