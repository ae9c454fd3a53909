import { type ChunkedBody, createChunkedBody } from './chunked.ts'
import { type HeadLimits, headTooLarge, parseRequestLine, type RequestHead } from './head.ts'
import { Input } from './input.ts'

export interface ReadLimits extends HeadLimits {
  readonly maxHeaderBytes: number
  /** Advice for the client. It is added to the reference's error message if a head is longer than `maxHeaderBytes`. */
  readonly headAdvice?: string
  readonly maxBodyBytes: number
}

/** The result of reading: what the reader found next in the input. */
export type Reading =
  /** The first bytes of a request have arrived. */
  | { readonly kind: 'begun' }
  /** The client waits for `100 Continue` before it sends the body. */
  | { readonly kind: 'expects-continue' }
  | { readonly kind: 'unknown-expectation'; readonly head: RequestHead }
  | { readonly kind: 'request'; readonly head: RequestHead; readonly body: Uint8Array }
  /** The body is refused, and the rest of it is not read. */
  | {
      readonly kind: 'body-refused'
      readonly head: RequestHead
      readonly message: string
      readonly tooLarge: boolean
    }

/**
 * The head of a request is its first line and its headers. The head may exceed `maxHeaderBytes` by this number of
 * bytes. Go's server allows the same excess: to its limit for the head, Go's server adds the size of its read buffer.
 */
const HEADER_SLOP = 4096
/** The minimum number of bytes of a request. */
const MIN_REQUEST = 4

const NEWLINE = 10
const RETURN = 13

const BEGUN: Reading = { kind: 'begun' }
const EXPECTS_CONTINUE: Reading = { kind: 'expects-continue' }

interface OpenBody {
  readonly head: RequestHead
  readonly chunks: ChunkedBody | undefined
}

/** Reads requests from the bytes of a connection, one after the other. */
export class RequestReader {
  readonly #limits: ReadLimits
  readonly #parseHead: (text: string) => RequestHead
  readonly #input = new Input()
  #inHead = false
  #body: OpenBody | undefined
  /** The number of bytes, at the beginning of the input, that were already searched for the end of a head. */
  #searched = 0
  /** True if the first line in the input has been checked, and can begin a request. */
  #lineIsGood = false
  #lastMethod = ''

  constructor(limits: ReadLimits, parseHead: (text: string) => RequestHead) {
    this.#limits = limits
    this.#parseHead = parseHead
  }

  append(data: Buffer): void {
    this.#input.append(data)
  }

  /** The received bytes that are not used yet. */
  get unread(): Buffer {
    return this.#input.bytes
  }

  /** True if the input has enough bytes to contain another request. */
  get hasMore(): boolean {
    return this.#input.bytes.length >= MIN_REQUEST
  }

  /** The number of bytes of memory that the input takes, including the received chunks of a body. */
  get heldBytes(): number {
    return this.#input.heldBytes + (this.#body?.chunks?.length() ?? 0)
  }

  /** Removes the input, and the received part of a body. */
  clear(): void {
    this.#input.clear()
    this.#body = undefined
  }

  /**
   * Returns the next result of reading, or `undefined` if more input is needed. Throws HttpRefusal for bytes that are
   * not HTTP.
   */
  next(): Reading | undefined {
    if (this.#body !== undefined) return this.#readBody(this.#body)
    return this.#inHead ? this.#readHead() : this.#begin()
  }

  #begin(): Reading | undefined {
    if (this.#lastMethod === 'POST') {
      // Old clients send an empty line after the body of a POST request. This line is skipped.
      const { bytes } = this.#input
      let at = 0
      while (at < 4 && (bytes[at] === 13 || bytes[at] === 10)) at++
      if (at > 0) this.#input.skip(at)
    }
    if (!this.hasMore) return undefined
    this.#inHead = true
    this.#searched = 0
    this.#lineIsGood = false
    return BEGUN
  }

  #readHead(): Reading | undefined {
    const { bytes } = this.#input
    const end = endOfHead(bytes, Math.max(0, this.#searched - 2))
    const limit = this.#limits.maxHeaderBytes + HEADER_SLOP
    if (end < 0 ? bytes.length > limit : end > limit) throw headTooLarge(this.#limits.headAdvice)
    if (end < 0) {
      this.#checkLine(bytes)
      this.#searched = bytes.length
      return undefined
    }
    const head = this.#parseHead(bytes.toString('latin1', 0, end))
    this.#input.skip(end + (bytes[end + 1] === RETURN ? 3 : 2))
    this.#inHead = false
    this.#lastMethod = head.method
    return this.#expect(head)
  }

  /** Refuses a first line that cannot begin a request, before the head has ended. */
  #checkLine(bytes: Buffer): void {
    const line = this.#lineIsGood ? -1 : bytes.indexOf(NEWLINE, this.#searched)
    if (line < 0) return
    parseRequestLine(bytes.toString('latin1', 0, line).replace(/\r$/, ''))
    this.#lineIsGood = true
  }

  #expect(head: RequestHead): Reading | undefined {
    const expect = head.headers.get('expect')
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') return { kind: 'unknown-expectation', head }
    const body = { head, chunks: head.chunked ? createChunkedBody() : undefined }
    const hasBody = head.chunked || head.bodyLength > 0
    if (expect === undefined || !hasBody || !head.http11) return this.#readBody(body)
    this.#body = body
    return EXPECTS_CONTINUE
  }

  #readBody(open: OpenBody): Reading | undefined {
    const { head, chunks } = open
    const { maxBodyBytes } = this.#limits
    const { bytes } = this.#input
    this.#body = open
    if (chunks === undefined) {
      if (head.bodyLength > maxBodyBytes) return tooLarge(head)
      return bytes.length < head.bodyLength ? undefined : this.#end(head, this.#input.shift(head.bodyLength))
    }
    try {
      this.#input.skip(chunks.push(bytes, 0))
    } catch (error) {
      return { kind: 'body-refused', head, message: (error as Error).message, tooLarge: false }
    }
    if (chunks.length() > maxBodyBytes) return tooLarge(head)
    return chunks.isDone() ? this.#end(head, chunks.bytes()) : undefined
  }

  #end(head: RequestHead, body: Uint8Array): Reading {
    this.#body = undefined
    return { kind: 'request', head, body }
  }
}

/**
 * Returns the position of the newline that ends the last line of a head, or -1. An empty line follows it, with or
 * without a carriage return. The search stops at the end of the first head, so input with many requests is not searched
 * completely for each request.
 */
function endOfHead(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(NEWLINE, from); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    const next = bytes[at + 1]
    if (next === NEWLINE || (next === RETURN && bytes[at + 2] === NEWLINE)) return at
  }
  return -1
}

function tooLarge(head: RequestHead): Reading {
  return { kind: 'body-refused', head, message: 'http: request body too large', tooLarge: true }
}
