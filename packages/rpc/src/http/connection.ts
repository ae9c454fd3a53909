import type { Socket } from 'node:net'
import type { Clock, Timer } from '@org/runtime'
import { remoteAddressOf } from './address.ts'
import { AnswerWriter } from './answer-writer.ts'
import type { FlushQueue } from './flush-queue.ts'
import { HttpRefusal, type RequestHead } from './head.ts'
import {
  bodyBytes,
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type HttpUpgrade,
  headerBlock,
} from './message.ts'
import { type Reading, type ReadLimits, RequestReader } from './request-reader.ts'
import { createSocketSink } from './socket-sink.ts'
import { type ConnectionRegistry, type TrackedConnection, UNBOUNDED } from './tracked-connection.ts'
import { type TimeHeaders, writeRefusal, writeResponse, writeStreamHead, writeUnavailable } from './write.ts'

export interface ConnectionOptions extends ReadLimits {
  /** The maximum time from the first byte of a request to its last byte, and between two requests. */
  readonly readTimeoutMs: number
  /**
   * The maximum time from the end of a request to its answer. The time begins again when written data has to wait
   * because the client reads too slowly.
   */
  readonly writeTimeoutMs: number
}

export interface ConnectionModules {
  readonly clock: Clock
  readonly handler: HttpHandler
  readonly times: () => TimeHeaders
  /**
   * Makes the answer to a request whose body cannot be read. `message` is the reason, and `tooLarge` is true if the
   * body exceeds a limit.
   */
  readonly bodyError: (message: string, tooLarge: boolean) => HttpResponse
  /** Makes the answer when the handler threw, which is a fault in the node. */
  readonly fault: (error: unknown) => HttpResponse
  /** The registry that receives the amount of memory of each connection. Default: no registry. */
  readonly holders?: ConnectionRegistry
  /** Makes the answer for a connection that is closed because memory is short. */
  readonly noMemory?: (reason: string) => HttpResponse
}

type Modules = ConnectionModules & {
  readonly parseHead: (text: string) => RequestHead
  readonly flushQueue: FlushQueue
}

/** The maximum bytes of input that wait while a request is answered. Above this size the socket is not read. */
const MAX_PENDING = 64 * 1024
/**
 * The milliseconds for which the connection stays open after the answer to a request whose body is not read. If the
 * connection were closed while the client still sends the body, the client might not read the answer.
 */
const LINGER_MS = 500

const CLOSING = headerBlock([['Connection', 'close']])

type State =
  /** The connection waits for a request of its client, or reads the request. */
  | 'reading'
  /** The handler makes an answer, or the answer is being written. */
  | 'answering'
  /** The connection reads no further input. */
  | 'closing'

/** One HTTP/1 connection: reads a request, answers it, then reads the next one. */
export class HttpConnection implements TrackedConnection {
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #modules: Modules
  readonly #remoteAddress: string
  readonly #reader: RequestReader
  readonly #writer: AnswerWriter
  #state: State = 'reading'
  /** True if the connection must be closed after the answer in progress. */
  #stopping = false
  #advancing = false
  #abort: AbortController | undefined
  #linger: Timer | undefined
  /** The number of bytes of the request that is being answered. */
  #answering = 0
  /** The number of bytes of the answer that is being made. */
  #made = 0
  /** The reason for which the client gets no further answers; `undefined` while it gets answers. */
  #abandonReason: string | undefined
  readonly #holders: ConnectionRegistry
  readonly #leave: () => void
  /** The time on the monotonic clock at which the connection is closed. */
  deadline: number

  constructor(socket: Socket, options: ConnectionOptions, modules: Modules) {
    this.#socket = socket
    this.#options = options
    this.#modules = modules
    this.#remoteAddress = remoteAddressOf(socket)
    this.#reader = new RequestReader(options, modules.parseHead)
    const { flushQueue } = modules
    this.#writer = new AnswerWriter(socket, { flushQueue, onBlocked: this.#onBlocked, onDrained: this.#onDrained })
    this.deadline = modules.clock.monotonic() + options.readTimeoutMs
    this.#holders = modules.holders ?? UNBOUNDED
    this.#leave = this.#holders.join(this)
    socket.on('data', this.#onData)
    socket.on('end', this.#endIfDone)
    socket.on('close', this.#onClose)
    socket.on('error', this.#onError)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  name(): string {
    return `HTTP ${this.#remoteAddress}`
  }

  requestBytes(): number {
    return this.#reader.heldBytes + this.#answering
  }

  unreadBytes(): number {
    return this.#socket.writableLength + this.#made
  }

  shed(reason: string): void {
    const response = this.#modules.noMemory?.(reason)
    // If the client has not read an earlier answer, it would not read an answer with `reason` either. So the connection
    // is ended without an answer.
    if (response === undefined || this.#state === 'closing' || this.#socket.writableLength > 0) {
      this.#socket.destroy()
      return
    }
    this.#abandon(reason)
    this.#hangUp(writeUnavailable(bodyBytes(response)), true)
  }

  /** Ends the connection. If an answer is in progress, waits until it is written. */
  close(): void {
    this.#stopping = true
    if (this.#isBusy()) return
    this.#writer.flush()
    this.#socket.destroySoon()
  }

  /** True while the connection must not take a further request from the input. */
  #isBusy(): boolean {
    return this.#state === 'answering' || this.#writer.isBlocked
  }

  #onError = (): void => {
    this.#socket.destroy()
  }

  #onClose = (): void => {
    this.#state = 'closing'
    this.#linger?.cancel()
    this.#leave()
    this.#reader.clear()
    this.#abandon('context canceled')
  }

  /** Ends the work for the client. */
  #abandon(reason: string): void {
    this.#abandonReason ??= reason
    this.#abort?.abort(new Error(reason))
  }

  /** If the client will send no more data, and every request that arrived has its answer, ends the connection. */
  #endIfDone = (): void => {
    if (!this.#socket.readableEnded || this.#isBusy()) return
    this.#writer.flush()
    this.#socket.end()
  }

  #onData = (data: Buffer): void => {
    if (this.#state === 'closing') return
    this.#reader.append(data)
    this.#holders.grew(data.length, this)
    if ((this.#state as State) === 'closing') return
    if (!this.#isBusy()) this.#advance()
    else if (this.#reader.unread.length > MAX_PENDING) this.#socket.pause()
  }

  /**
   * Takes requests from the input and answers them. Stops when more input is needed, or when an answer is not ready at
   * once.
   */
  #advance = (): void => {
    if (this.#advancing) return
    this.#advancing = true
    try {
      while (this.#state === 'reading' && !this.#writer.isBlocked) {
        const reading = this.#reader.next()
        if (reading === undefined) break
        this.#handleReading(reading)
      }
    } catch (error) {
      if (!(error instanceof HttpRefusal)) throw error
      this.#hangUp(writeRefusal(error.message, error.advice), false)
    } finally {
      this.#advancing = false
    }
    this.#endIfDone()
  }

  #handleReading(reading: Reading): void {
    switch (reading.kind) {
      case 'begun':
        this.deadline = this.#modules.clock.monotonic() + this.#options.readTimeoutMs
        return
      case 'expects-continue':
        this.#writer.enqueue('HTTP/1.1 100 Continue\r\n\r\n')
        return
      case 'unknown-expectation':
        this.#respond(reading.head, { status: 417, headers: CLOSING, body: [], early: true })
        return
      case 'body-refused': {
        const refusal = this.#modules.bodyError(reading.message, reading.tooLarge)
        this.#respond(reading.head, { ...refusal, close: true }, true)
        return
      }
      case 'request':
        this.#handle(reading.head, reading.body)
    }
  }

  #handle(head: RequestHead, body: Uint8Array): void {
    this.#state = 'answering'
    this.#answering = head.target.length + body.length
    this.deadline = this.#modules.clock.monotonic() + this.#options.writeTimeoutMs
    void this.#answer(head, this.#requestOf(head, body))
  }

  async #answer(head: RequestHead, request: HttpRequest): Promise<void> {
    let result: HttpResponse | HttpUpgrade
    try {
      result = await this.#modules.handler(request)
    } catch (error) {
      // If the client has disconnected, the handler may have dropped the call. That is not a fault.
      if (this.#state !== 'answering') return
      result = this.#modules.fault(error)
    }
    this.#finish(head, request, result)
  }

  #requestOf(head: RequestHead, body: Uint8Array): HttpRequest {
    return {
      method: head.method,
      target: head.target,
      http11: head.http11,
      headers: head.headers,
      host: head.host,
      body,
      headSize: head.size,
      remoteAddress: this.#remoteAddress,
      signal: () => {
        if (this.#abort === undefined) {
          this.#abort = new AbortController()
          // The signal is created when the handler first asks for it. If the client has disconnected before this
          // moment, no later event would abort the signal. So the signal is aborted here.
          if (this.#abandonReason !== undefined) this.#abort.abort(new Error(this.#abandonReason))
        }
        return this.#abort.signal
      },
      grew: (bytes) => {
        if (this.#state !== 'answering') return
        this.#made += bytes
        this.#holders.grew(bytes, this)
      },
    }
  }

  #finish(head: RequestHead, request: HttpRequest, result: HttpResponse | HttpUpgrade): void {
    this.#answering = 0
    this.#made = 0
    if (this.#state !== 'answering') return
    if ('upgrade' in result) {
      this.#writer.flush()
      const { unread } = this.#reader
      this.#detach()
      result.upgrade(this.#socket, unread, request)
      return
    }
    if (result.stream === undefined || head.method === 'HEAD') {
      this.#respond(head, result)
      this.#advance()
      return
    }
    this.#writer.flush()
    // This connection receives no further request, so its input is not read.
    this.#stopReading()
    this.deadline = Number.POSITIVE_INFINITY
    this.#socket.write(writeStreamHead(result, head, this.#modules.times()))
    result.stream(createSocketSink(this.#socket))
  }

  /**
   * Writes the answer. `linger` is true if the client may still be sending a body that this node does not read. The
   * connection then stays open for a short time.
   */
  #respond(head: RequestHead, response: HttpResponse, linger = false): void {
    const { text, parts, close } = writeResponse(response, head, this.#modules.times())
    this.#abort = undefined
    if (close || this.#stopping || (this.#socket.readableEnded && !this.#reader.hasMore)) {
      this.#hangUp(parts.length === 0 ? Buffer.from(text, 'latin1') : Buffer.concat(parts), linger)
      return
    }
    if (parts.length === 0) this.#writer.enqueue(text)
    else this.#writer.write(parts)
    if (this.#state === 'closing') return
    this.#state = 'reading'
    if (!this.#writer.isBlocked) this.#renew()
  }

  #onBlocked = (): void => {
    if (this.#state !== 'closing') this.deadline = this.#modules.clock.monotonic() + this.#options.writeTimeoutMs
    this.#holders.grew(this.#socket.writableLength, this)
  }

  #onDrained = (): void => {
    if (this.#state !== 'reading') return
    this.#renew()
    this.#advance()
  }

  /** Prepares the connection for the next request. */
  #renew(): void {
    if (this.#socket.isPaused()) this.#socket.resume()
    this.deadline = this.#modules.clock.monotonic() + this.#options.readTimeoutMs
  }

  #hangUp(last: Uint8Array, linger: boolean): void {
    this.#writer.flush()
    this.#stopReading()
    this.#socket.end(last, linger ? undefined : () => this.#socket.destroySoon())
    if (linger) this.#linger = this.#modules.clock.after(LINGER_MS, () => this.#socket.destroy())
  }

  /** Discards all further input. */
  #stopReading(): void {
    this.#state = 'closing'
    this.#reader.clear()
    if (this.#socket.isPaused()) this.#socket.resume()
  }

  #detach(): void {
    this.#state = 'closing'
    this.#leave()
    this.#reader.clear()
    this.deadline = Number.POSITIVE_INFINITY
    this.#socket.off('data', this.#onData)
    this.#socket.off('end', this.#endIfDone)
    this.#socket.off('error', this.#onError)
  }
}
