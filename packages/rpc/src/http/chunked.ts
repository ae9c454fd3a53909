import { RPC_ERRORS, RpcError } from '../errors.ts'
import { trimBlanksAtEnd } from './trim-blanks.ts'

/** The maximum length of a chunk's size line, with its extensions. */
const MAX_LINE = 4096

const EMPTY = Buffer.alloc(0)

/** The error for a chunked body that breaks the rules, in the reference's words. */
function malformed(message: string): RpcError {
  return new RpcError(RPC_ERRORS.http, message)
}

function sizeOf(line: string): number {
  const digits = trimBlanksAtEnd(line.split(';', 1)[0] as string)
  if (digits === '') throw malformed('empty hex number for chunk length')
  if (!/^[0-9a-fA-F]+$/.test(digits)) throw malformed('invalid byte in chunk length')
  if (digits.length > 12) throw malformed('http chunk length too large')
  return Number.parseInt(digits, 16)
}

export interface ChunkedBody {
  /** Returns the number of received bytes of the body. */
  readonly length: () => number
  /**
   * Reads bytes from `input`, beginning at the position `from`. Returns the position of the first byte that it did not
   * use. Throws for a malformed body.
   */
  readonly push: (input: Buffer, from: number) => number
  readonly isDone: () => boolean
  readonly bytes: () => Uint8Array
}

/**
 * Reads a body with `Transfer-Encoding: chunked`. Bytes that `push` did not use must be passed to it again, followed by
 * new input.
 */
export function createChunkedBody(): ChunkedBody {
  /**
   * All chunks are joined into one buffer as they arrive, because a list of one-byte chunks would need far more memory
   * than their data.
   */
  let body = EMPTY
  let length = 0
  let remainingBytes = 0
  let state: 'size' | 'data' | 'data-end' | 'trailer' | 'done' = 'size'

  function line(input: Buffer, from: number): string | undefined {
    const end = input.indexOf(10, from)
    if (end < 0 ? input.length - from > MAX_LINE : end - from > MAX_LINE) throw malformed('header line too long')
    return end < 0 ? undefined : input.toString('latin1', from, end)
  }

  function append(part: Uint8Array): void {
    const needed = length + part.length
    if (needed > body.length) {
      const larger = Buffer.allocUnsafeSlow(2 * needed)
      larger.set(body.subarray(0, length))
      body = larger
    }
    body.set(part, length)
    length = needed
  }

  function step(input: Buffer, at: number): number {
    if (state === 'data') {
      const part = input.subarray(at, at + remainingBytes)
      append(part)
      remainingBytes -= part.length
      if (remainingBytes === 0) state = 'data-end'
      return at + part.length
    }
    if (state === 'data-end') {
      if (input.length - at < 2) return at
      if (input[at] !== 13 || input[at + 1] !== 10) throw malformed('malformed chunked encoding')
      state = 'size'
      return at + 2
    }
    const text = line(input, at)
    if (text === undefined) return at
    if (state === 'trailer') {
      if (text === '' || text === '\r') state = 'done'
    } else {
      if (!text.endsWith('\r')) throw malformed('chunked line ends with bare LF')
      remainingBytes = sizeOf(text.slice(0, -1))
      state = remainingBytes === 0 ? 'trailer' : 'data'
    }
    return at + text.length + 1
  }

  return {
    length: () => length,
    isDone: () => state === 'done',
    bytes: () => body.subarray(0, length),
    push: (input, from) => {
      let at = from
      while (at < input.length && state !== 'done') {
        const next = step(input, at)
        if (next === at) break
        at = next
      }
      return at
    },
  }
}
