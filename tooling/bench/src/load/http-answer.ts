/**
 * Reads the answers on a keep-alive connection with little processor time. The bytes of a body are counted, but kept
 * only if the caller wants to read the body.
 */
export interface AnswerReader {
  /**
   * Reads received bytes, and keeps no reference to them. Returns true if an answer is complete. The caller must not
   * have more than one unanswered request.
   */
  readonly push: (data: Buffer) => boolean
  /** True if the last complete answer had status 200. */
  readonly status: () => boolean
  readonly body: () => Buffer
}

const EMPTY: Buffer = Buffer.alloc(0)
const HEAD_END = '\r\n\r\n'

/** If `keep` is true, the reader keeps the body of each answer, including the lines with the sizes of chunks. */
export function createAnswerReader(keep: boolean): AnswerReader {
  let state: 'head' | 'body' | 'size' = 'head'
  let pending = EMPTY
  let remainingBytes = 0
  let chunked = false
  let good = false
  let kept: Buffer[] = []

  /** Reads one part of an answer. Returns the bytes after this part, or `undefined` if the part is not complete. */
  function step(data: Buffer): Buffer | undefined {
    if (state === 'body') {
      const taken = Math.min(remainingBytes, data.length)
      if (keep) kept.push(Buffer.from(data.subarray(0, taken)))
      remainingBytes -= taken
      if (remainingBytes > 0) return undefined
      state = chunked ? 'size' : 'head'
      return data.subarray(taken)
    }
    const mark = state === 'head' ? HEAD_END : '\r\n'
    const text = pending.length === 0 ? data : Buffer.concat([pending, data])
    const end = text.indexOf(mark)
    if (end < 0) {
      pending = Buffer.from(text)
      return undefined
    }
    pending = EMPTY
    const line = text.toString('latin1', 0, end)
    if (state === 'head') readHead(line)
    else {
      // A line end (2 bytes) follows the data of each chunk, also of the last chunk.
      const size = Number.parseInt(line, 16)
      remainingBytes = size + 2
      chunked = size > 0
      state = 'body'
    }
    return text.subarray(end + mark.length)
  }

  function readHead(head: string): void {
    good = head.startsWith('HTTP/1.1 200')
    kept = []
    const length = /content-length: (\d+)/i.exec(head)?.[1]
    chunked = length === undefined
    remainingBytes = Number(length ?? 0)
    state = chunked ? 'size' : 'body'
  }

  return {
    push: (data) => {
      let rest: Buffer | undefined = data
      for (;;) {
        rest = step(rest)
        if (rest === undefined) return false
        if (state === 'head') return true
        if (rest.length === 0 && !(state === 'body' && remainingBytes === 0)) return false
      }
    },
    status: () => good,
    body: () => Buffer.concat(kept),
  }
}
