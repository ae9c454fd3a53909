import type { Socket } from 'node:net'
import type { Clock, Timer } from '@org/runtime'
import { remoteAddressOf } from './address.ts'
import { type ChunkedBody, createChunkedBody } from './chunked.ts'
import { HttpRefusal, parseRequestLine, type RequestHead } from './head.ts'
import { type HttpHandler, type HttpRequest, type HttpResponse, type HttpUpgrade, headerBlock } from './message.ts'
import type { Outbox } from './outbox.ts'
import { createSocketSink } from './socket-sink.ts'
import { type TimeHeaders, writeRefusal, writeResponse, writeStreamHead } from './write.ts'

export interface ConnectionOptions {
  readonly maxHeaderBytes: number
  readonly maxBodyBytes: number
  /** From the first byte of a request to its last, and between requests. */
  readonly readTimeoutMs: number
  /** From the end of the header to the end of the answer. */
  readonly writeTimeoutMs: number
}

export interface ConnectionModules {
  readonly clock: Clock
  readonly handler: HttpHandler
  readonly times: () => TimeHeaders
  /** What to answer when a body cannot be read; `message` says why. */
  readonly bodyError: (message: string, tooLarge: boolean) => HttpResponse
  /** What to answer when the handler threw: a fault of ours. */
  readonly fault: (error: unknown) => HttpResponse
}

type Modules = ConnectionModules & {
  readonly parseHead: (text: string) => RequestHead
  readonly outbox: Outbox
}

/** Go allows a buffer's worth more than the limit. */
const HEADER_SLOP = 4096
/** Less than this is no request yet. */
const MIN_REQUEST = 4
/** Input that may wait while a request is answered; more stops the reading. */
const MAX_PENDING = 64 * 1024
/** Answers held back until the end of the turn; more leave at once. */
const MAX_HELD = 64 * 1024
/** A client that still sends what nobody wants may go on for this long, so that it sees the answer. */
const LINGER_MS = 500

const EMPTY = Buffer.alloc(0)

type State =
  /** Waits for the first byte of a request. */
  | { readonly name: 'idle' }
  | { readonly name: 'head' }
  | { readonly name: 'body'; readonly head: RequestHead; readonly chunks: ChunkedBody | undefined }
  /** The handler works, or its answer is on its way. */
  | { readonly name: 'answer' }
  /** Nothing more is read. */
  | { readonly name: 'closing' }

/** One HTTP/1 connection: reads a request, has it answered, and so on, one after the other. */
export class HttpConnection {
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #modules: Modules
  readonly #remoteAddress: string
  #state: State = { name: 'idle' }
  #input: Buffer = EMPTY
  /** Where input that came in several pieces is put together, with room for more. */
  #room: Buffer = EMPTY
  /** So much of the input holds no end of a head, */
  #searched = 0
  /** and its first line is one that a request begins with. */
  #lineIsGood = false
  #lastMethod = ''
  /** The other side sends no more: what it sent before is still answered. */
  #ended = false
  /** The answer in progress is the last one. */
  #stopping = false
  /** Answers that leave at the end of the turn, as a binary string. */
  #held = ''
  /** The other side does not take what is written: nothing more is answered until it does. */
  #blocked = false
  #advancing = false
  #abort: AbortController | undefined
  #linger: Timer | undefined
  /** When to give up, on the monotonic clock. */
  deadline: number

  constructor(socket: Socket, options: ConnectionOptions, modules: Modules) {
    this.#socket = socket
    this.#options = options
    this.#modules = modules
    this.#remoteAddress = remoteAddressOf(socket)
    this.deadline = modules.clock.monotonic() + options.readTimeoutMs
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('close', this.#onClose)
    socket.on('error', this.#onError)
  }

  get isIdle(): boolean {
    return this.#state.name === 'idle'
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Ends the connection once the answer in progress, if any, is written. */
  close(): void {
    this.#stopping = true
    if (this.#state.name === 'answer' || this.#blocked) return
    this.flush()
    this.#socket.destroySoon()
  }

  /** Writes what is held back. */
  flush(): void {
    if (this.#held === '') return
    const text = this.#held
    this.#held = ''
    if (!this.#socket.write(text, 'latin1')) this.#block()
  }

  #onError = (): void => {
    this.#socket.destroy()
  }

  #onClose = (): void => {
    this.#state = { name: 'closing' }
    this.#linger?.cancel()
    this.#abort?.abort(new Error('context canceled'))
  }

  #onEnd = (): void => {
    this.#ended = true
    this.#endIfDone()
  }

  #endIfDone(): void {
    if (!this.#ended || this.#state.name === 'answer' || this.#blocked) return
    this.flush()
    this.#socket.end()
  }

  #onData = (data: Buffer): void => {
    if (this.#state.name === 'closing') return
    this.#append(data)
    if (this.#state.name === 'answer' || this.#blocked) {
      if (this.#input.length > MAX_PENDING) this.#socket.pause()
      return
    }
    this.#advance()
  }

  /** However small the pieces are, each byte is copied a few times at most. */
  #append(data: Buffer): void {
    const { length } = this.#input
    if (length === 0) {
      this.#input = data
      this.#room = EMPTY
      return
    }
    const needed = length + data.length
    let at = this.#input.byteOffset
    if (this.#input.buffer !== this.#room.buffer || at + needed > this.#room.length) {
      this.#room = Buffer.allocUnsafeSlow(2 * needed)
      this.#room.set(this.#input)
      at = 0
    }
    this.#room.set(data, at + length)
    this.#input = this.#room.subarray(at, at + needed)
  }

  /** Takes requests from the input until it needs more, or one is answered later. */
  #advance = (): void => {
    if (this.#advancing) return
    this.#advancing = true
    try {
      while (this.#step());
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error
      this.#hangUp(writeRefusal(error.message), false)
    } finally {
      this.#advancing = false
    }
    this.#endIfDone()
  }

  #step(): boolean {
    if (this.#blocked) return false
    const state = this.#state
    if (state.name === 'idle') return this.#begin()
    if (state.name === 'head') return this.#readHead()
    if (state.name === 'body') return this.#readBody(state.head, state.chunks)
    return false
  }

  #begin(): boolean {
    if (this.#lastMethod === 'POST') {
      // Old clients send an empty line after the body.
      let at = 0
      while (at < 4 && (this.#input[at] === 13 || this.#input[at] === 10)) at++
      this.#input = this.#input.subarray(at)
    }
    if (this.#input.length < MIN_REQUEST) return false
    this.#state = { name: 'head' }
    this.#searched = 0
    this.#lineIsGood = false
    this.deadline = this.#modules.clock.monotonic() + this.#options.readTimeoutMs
    return true
  }

  #readHead(): boolean {
    const input = this.#input
    const from = Math.max(0, this.#searched - 2)
    const withReturn = input.indexOf('\n\r\n', from)
    let end = withReturn < 0 ? input.indexOf('\n\n', from) : withReturn
    const text = input.toString('latin1', 0, end + 1)
    const bare = text.indexOf('\n\n')
    if (bare >= 0) end = bare
    const limit = this.#options.maxHeaderBytes + HEADER_SLOP
    if (end < 0 ? input.length > limit : end > limit) throw new HttpRefusal('431 Request Header Fields Too Large')
    if (end < 0) {
      const line = this.#lineIsGood ? -1 : input.indexOf(10, this.#searched)
      if (line >= 0) {
        parseRequestLine(input.toString('latin1', 0, line).replace(/\r$/, ''))
        this.#lineIsGood = true
      }
      this.#searched = input.length
      return false
    }
    const head = this.#modules.parseHead(text.slice(0, end))
    this.#input = input.subarray(end + (end === withReturn ? 3 : 2))
    this.#lastMethod = head.method
    const expect = head.headers.get('expect')
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
      this.#respond(head, { status: 417, headers: headerBlock([['Connection', 'close']]), body: [], early: true })
      return true
    }
    const hasBody = head.chunked || head.bodyLength > 0
    if (expect !== undefined && hasBody && head.http11) this.#hold('HTTP/1.1 100 Continue\r\n\r\n')
    this.#state = { name: 'body', head, chunks: head.chunked ? createChunkedBody() : undefined }
    return true
  }

  #readBody(head: RequestHead, chunks: ChunkedBody | undefined): boolean {
    const { maxBodyBytes } = this.#options
    const input = this.#input
    if (chunks === undefined) {
      if (head.bodyLength > maxBodyBytes) return this.#refuseBody(head, 'http: request body too large', true)
      if (input.length < head.bodyLength) return false
      this.#input = input.subarray(head.bodyLength)
      this.#handle(head, input.subarray(0, head.bodyLength))
      return true
    }
    try {
      this.#input = input.subarray(chunks.push(input, 0))
    } catch (error) {
      return this.#refuseBody(head, (error as Error).message, false)
    }
    if (chunks.length() > maxBodyBytes) return this.#refuseBody(head, 'http: request body too large', true)
    if (!chunks.isDone()) return false
    this.#handle(head, chunks.bytes())
    return true
  }

  #refuseBody(head: RequestHead, message: string, tooLarge: boolean): boolean {
    this.#respond(head, { ...this.#modules.bodyError(message, tooLarge), close: true }, true)
    return false
  }

  #handle(head: RequestHead, body: Uint8Array): void {
    this.#state = { name: 'answer' }
    this.deadline = this.#modules.clock.monotonic() + this.#options.writeTimeoutMs
    const request = this.#requestOf(head, body)
    let answer: ReturnType<HttpHandler>
    try {
      answer = this.#modules.handler(request)
    } catch (error) {
      answer = this.#modules.fault(error)
    }
    if (answer instanceof Promise) {
      answer.then(
        (result) => this.#finish(head, request, result),
        (error: unknown) => this.#finish(head, request, this.#modules.fault(error)),
      )
    } else this.#finish(head, request, answer)
  }

  #requestOf(head: RequestHead, body: Uint8Array): HttpRequest {
    return {
      method: head.method,
      target: head.target,
      http11: head.http11,
      headers: head.headers,
      host: head.host,
      body,
      remoteAddress: this.#remoteAddress,
      signal: () => {
        this.#abort ??= new AbortController()
        return this.#abort.signal
      },
    }
  }

  #finish(head: RequestHead, request: HttpRequest, result: HttpResponse | HttpUpgrade): void {
    if (this.#state.name !== 'answer') return
    if ('upgrade' in result) {
      this.flush()
      this.#detach()
      result.upgrade(this.#socket, this.#input, request)
      return
    }
    if (result.stream === undefined || head.method === 'HEAD') {
      this.#respond(head, result)
      this.#advance()
      return
    }
    this.flush()
    // Nothing else comes on this connection: what is sent is not read.
    this.#state = { name: 'closing' }
    this.deadline = Number.POSITIVE_INFINITY
    this.#input = EMPTY
    if (this.#socket.isPaused()) this.#socket.resume()
    this.#socket.write(writeStreamHead(result, head, this.#modules.times()))
    result.stream(createSocketSink(this.#socket))
  }

  /** Writes the answer. `linger`: unread input is left on the connection. */
  #respond(head: RequestHead, response: HttpResponse, linger = false): void {
    const { text, parts, close } = writeResponse(response, head, this.#modules.times())
    this.#abort = undefined
    if (close || this.#stopping || (this.#ended && this.#input.length < MIN_REQUEST)) {
      this.#hangUp(parts.length === 0 ? Buffer.from(text, 'latin1') : Buffer.concat(parts), linger)
      return
    }
    if (parts.length === 0) this.#hold(text)
    else this.#write(parts)
    this.#next()
  }

  #hold(text: string): void {
    const isFirst = this.#held === ''
    this.#held += text
    // It may be flushed at once.
    if (isFirst) this.#modules.outbox.add(this)
    if (this.#held.length > MAX_HELD) this.flush()
  }

  #write(parts: readonly Uint8Array[]): void {
    this.flush()
    let flowing = true
    this.#socket.cork()
    for (const part of parts) flowing = this.#socket.write(part)
    this.#socket.uncork()
    if (!flowing) this.#block()
  }

  #block(): void {
    if (this.#blocked || this.#state.name === 'closing') return
    this.#blocked = true
    this.deadline = this.#modules.clock.monotonic() + this.#options.writeTimeoutMs
    this.#socket.once('drain', this.#onDrain)
  }

  #onDrain = (): void => {
    this.#blocked = false
    if (this.#state.name === 'closing' || this.#state.name === 'answer') return
    this.#renew()
    this.#advance()
  }

  #next(): void {
    if (this.#state.name === 'closing') return
    this.#state = { name: 'idle' }
    if (!this.#blocked) this.#renew()
  }

  /** Ready for the next request. */
  #renew(): void {
    if (this.#socket.isPaused()) this.#socket.resume()
    this.deadline = this.#modules.clock.monotonic() + this.#options.readTimeoutMs
  }

  #hangUp(last: Uint8Array, linger: boolean): void {
    this.flush()
    this.#state = { name: 'closing' }
    this.#input = EMPTY
    if (this.#socket.isPaused()) this.#socket.resume()
    this.#socket.end(last, linger ? undefined : () => this.#socket.destroySoon())
    if (linger) this.#linger = this.#modules.clock.after(LINGER_MS, () => this.#socket.destroy())
  }

  #detach(): void {
    this.#state = { name: 'closing' }
    this.deadline = Number.POSITIVE_INFINITY
    this.#socket.off('data', this.#onData)
    this.#socket.off('end', this.#onEnd)
    this.#socket.off('error', this.#onError)
  }
}
