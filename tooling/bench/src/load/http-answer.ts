/** Reads answers of a kept connection at a low cost: bodies are counted, and joined only if they are to be judged. */
export interface AnswerReader {
  /**
   * Reads the received bytes, without keeping a view of them; true when an answer is complete. At most one answer is
   * open.
   */
  readonly push: (data: Buffer) => boolean
  /** Whether the last complete answer had status 200, and the kept part of its body. */
  readonly status: () => boolean
  readonly body: () => Buffer
}

const EMPTY: Buffer = Buffer.alloc(0)
const HEAD_END = '\r\n\r\n'

/** `keep`: the body is joined, including the sizes of chunks. */
export function createAnswerReader(keep: boolean): AnswerReader {
  let state: 'head' | 'body' | 'size' = 'head'
  let pending = EMPTY
  let left = 0
  let chunked = false
  let good = false
  let kept: Buffer[] = []

  /** Reads as much as possible; returns the rest of `data`, or `undefined` if more is needed. */
  function step(data: Buffer): Buffer | undefined {
    if (state === 'body') {
      const taken = Math.min(left, data.length)
      if (keep) kept.push(Buffer.from(data.subarray(0, taken)))
      left -= taken
      if (left > 0) return undefined
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
      // A line end follows each chunk, also the last one.
      const size = Number.parseInt(line, 16)
      left = size + 2
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
    left = Number(length ?? 0)
    state = chunked ? 'size' : 'body'
  }

  return {
    push: (data) => {
      let rest: Buffer | undefined = data
      for (;;) {
        rest = step(rest)
        if (rest === undefined) return false
        if (state === 'head') return true
        if (rest.length === 0 && !(state === 'body' && left === 0)) return false
      }
    },
    status: () => good,
    body: () => Buffer.concat(kept),
  }
}
