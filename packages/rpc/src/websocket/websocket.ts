import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { HttpRequest, TrackedConnection } from '../http/index.ts'
import { binaryOf } from '../json/index.ts'
import type { Caller, RpcService } from '../service.ts'
import type { EventFlush } from '../subscriptions/event-flush.ts'
import type { EventFrames } from '../subscriptions/event-frame.ts'
import { CallQueue } from './call-queue.ts'
import { Heartbeat } from './heartbeat.ts'
import type { HoldableSocket } from './held-close.ts'
import { Subscriptions } from './subscriptions.ts'
import { answerMessage, panicReply } from './websocket-call.ts'
import { WebSocketWriter } from './websocket-writer.ts'

/** The close code for a client that should reconnect later. */
const TRY_AGAIN_LATER = 1013
/**
 * When memory is short, the server disconnects a client. The client then has this number of milliseconds to read the
 * reason.
 */
const SHED_GRACE_MS = 1000
/** The length, in bytes, of the head of a control frame from a client: flags, a length of one byte, and a mask. */
const CONTROL_HEAD = 6
/**
 * The number of bytes of memory that a received buffer needs in addition to its data. The WebSocket library keeps all
 * buffers of an incomplete message. A client may send each byte alone. The buffers then need much more memory than the
 * data, so this number is counted for each buffer.
 */
const BUFFER_OVERHEAD = 256

export interface RpcWebSocketModules {
  readonly frames: EventFrames
  readonly eventFlush: EventFlush
  readonly remoteAddress: string
  /** The headers that show which web page opened the connection. */
  readonly headers: HttpRequest['headers']
  /** The connection (TCP, TLS or unix socket) that carries the WebSocket. */
  readonly connection: Duplex
}

/** One WebSocket: answers calls one after the other, and sends events between them. */
export class RpcWebSocket implements TrackedConnection {
  readonly #socket: WebSocket
  readonly #service: RpcService
  readonly #abort = new AbortController()
  readonly #writer: WebSocketWriter
  readonly #subscriptions: Subscriptions
  readonly #calls: CallQueue
  readonly #heartbeat: Heartbeat
  readonly #remoteAddress: string
  readonly #leave: () => void
  /** The received bytes of an incomplete message, without control frames between its parts. */
  #unfinished = 0
  /**
   * The bytes that were received since the incomplete message began, with control frames. One received buffer may
   * contain a part of the message and control frames, so the control frames stay in memory too.
   */
  #received = 0
  #isShed = false
  /** True after this node has begun to close the WebSocket. */
  #isClosing = false

  constructor(
    socket: HoldableSocket,
    service: RpcService,
    { frames, eventFlush, remoteAddress, connection, headers }: RpcWebSocketModules,
  ) {
    this.#socket = socket
    this.#service = service
    this.#remoteAddress = remoteAddress
    const writer = new WebSocketWriter(service.options, {
      socket,
      connection,
      eventFlush,
      meter: service.meter,
      onSent: this.#onSent,
      onGrown: this.#onGrown,
    })
    this.#writer = writer
    this.#subscriptions = new Subscriptions(remoteAddress, {
      service,
      frames,
      writer,
      turnAway: () => this.#end(TRY_AGAIN_LATER),
    })
    const host = headers.get('host') ?? ''
    const signal = (): AbortSignal => this.#abort.signal
    const caller: Caller = { remoteAddress, signal, connection: this.#subscriptions, headers, host }
    this.#calls = new CallQueue({
      socket,
      answer: (text) => answerMessage(service, caller, text),
      fault: (error) => panicReply(service.profile, error),
      send: (reply) => writer.send(reply),
    })
    this.#heartbeat = new Heartbeat(socket, service.clock)
    this.#leave = service.memory.join(this)
    // `#onData` is registered before the listener of the WebSocket library, so it runs before the library takes the
    // messages out of the data.
    connection.prependListener('data', this.#onData)
    for (const control of ['ping', 'pong'] as const) socket.on(control, this.#onControl)
    socket.on('message', this.#onMessage)
    // A client may send its close frame after its last call, and still wait for the answers.
    socket.onClosing = (close) => (this.#isClosing ? close() : this.#calls.whenIdle(close))
    socket.on('close', this.#onClose)
    socket.on('error', () => undefined)
  }

  /** Sends a close frame and ends the connection. */
  close(): void {
    this.#writer.flush()
    this.#end(1001)
  }

  name(): string {
    return `WebSocket ${this.#remoteAddress}`
  }

  requestBytes(): number {
    return this.#calls.bytes + this.#subscriptions.bytes + (this.#unfinished === 0 ? 0 : this.#received)
  }

  unreadBytes(): number {
    return this.#writer.unreadBytes
  }

  /**
   * Ends the connection because memory is short. The client has {@link SHED_GRACE_MS} to read the waiting messages and
   * the reason. A second call ends the connection at once.
   */
  shed(reason: string): void {
    const { profile, clock } = this.#service
    if (this.#isShed) {
      this.#socket.terminate()
      return
    }
    this.#isShed = true
    this.#calls.close()
    this.#subscriptions.end()
    this.#writer.send(profile.errorReply(profile.noId, 'server', reason))
    this.#end(TRY_AGAIN_LATER)
    const grace = clock.after(SHED_GRACE_MS, () => this.#socket.terminate())
    this.#socket.once('close', () => grace.cancel())
  }

  #end(code: number): void {
    this.#isClosing = true
    this.#socket.close(code)
  }

  #onData = (data: Uint8Array): void => {
    if (this.#unfinished === 0) this.#received = 0
    this.#unfinished += data.length
    const held = data.length + BUFFER_OVERHEAD
    this.#received += held
    this.#service.memory.grew(held, this)
  }

  #onControl = (data: Uint8Array): void => {
    this.#unfinished = Math.max(0, this.#unfinished - data.length - CONTROL_HEAD)
  }

  #onGrown = (bytes: number): void => this.#service.memory.grew(bytes, this)

  #onMessage = (data: unknown): void => {
    this.#unfinished = 0
    if (this.#isShed) return
    this.#heartbeat.received()
    const text = binaryOf(data as Uint8Array)
    this.#service.meter?.received(text.length)
    this.#calls.push(text)
  }

  #onSent = (): void => {
    if (!this.#calls.isHeldUp) return
    // A WebSocket is closed if nothing is received from its client for some time. The client's pongs may wait behind
    // calls that this node has not read yet. But a client that reads the sent bytes is alive. So the wait for received
    // data begins again.
    this.#heartbeat.received()
    this.#calls.resume()
  }

  #onClose = (): void => {
    this.#leave()
    this.#heartbeat.stop()
    this.#calls.close()
    this.#writer.close()
    this.#abort.abort(new Error('context canceled'))
    this.#subscriptions.end()
  }
}
