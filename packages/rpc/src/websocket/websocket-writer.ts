import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Reply } from '../call/envelope.ts'
import { bodyBytes, sizeOfPart } from '../http/index.ts'
import type { RpcMeter } from '../middleware/meter.ts'
import type { RpcOptions } from '../options.ts'
import type { EventFlush } from '../subscriptions/event-flush.ts'
import type { EventFrame, FrameBundle } from '../subscriptions/frame-bundle.ts'
import { createFrameWriter, type FrameWriter } from '../subscriptions/frame-writer.ts'

/** The value of `readyState` of a WebSocket that is open and not closing. */
const OPEN = 1

export interface WebSocketWriterModules {
  readonly socket: WebSocket
  /** The connection (TCP, TLS or unix socket) that carries `socket`. */
  readonly connection: Duplex
  readonly eventFlush: EventFlush
  readonly meter: RpcMeter | undefined
  /** Called when the operating system has taken a message. */
  readonly onSent: () => void
  /** Called when more data wait for the client. `bytes` is the number of the additional bytes. */
  readonly onGrown: (bytes: number) => void
}

/** Writes to one WebSocket, and measures how far its client is behind. */
export class WebSocketWriter {
  readonly #options: RpcOptions
  readonly #modules: WebSocketWriterModules
  readonly #frames: FrameWriter
  /** Events that wait for the flush. */
  #events: FrameBundle | undefined
  /** The number of messages that the socket has received from this writer and not written yet. */
  #unsent = 0
  /**
   * The functions to call when the client has read enough. Each of them belongs to a subscription that waits to send
   * more stored events.
   */
  readonly #onDrained: ((open: boolean) => void)[] = []

  constructor(options: RpcOptions, modules: WebSocketWriterModules) {
    this.#options = options
    this.#modules = modules
    this.#frames = createFrameWriter(modules.connection)
  }

  get isOpen(): boolean {
    return this.#modules.socket.readyState === OPEN
  }

  /**
   * True if no more stored events may be sent now, because too much data waits for the client. The data that waits for
   * a client is limited. Stored events may use only a part of the limits. The rest is for new events.
   */
  get isAhead(): boolean {
    const { websocketWriteBufferSize, maxClientBytes } = this.#options
    const messages = this.#unsent + (this.#events?.count ?? 0)
    return messages >= websocketWriteBufferSize / 2 || this.unreadBytes > maxClientBytes / 4
  }

  /**
   * True if no event may be sent now, not even a new event, because too much data waits for the client. The number of
   * waiting messages and the number of their bytes are limited. Some events still wait for the method `flush`, which
   * writes them. These events count only for the limit of bytes, because the client has had no time to read them.
   */
  get isFull(): boolean {
    const { websocketWriteBufferSize, subscriptionBufferSize } = this.#options
    return this.#unsent >= websocketWriteBufferSize + subscriptionBufferSize || this.isOverBudget
  }

  get isOverBudget(): boolean {
    return this.unreadBytes > this.#options.maxClientBytes
  }

  /** The number of bytes that the client has not read yet. */
  get unreadBytes(): number {
    return this.#modules.socket.bufferedAmount + (this.#events?.size ?? 0)
  }

  /**
   * Resolves with true when the client has read enough, so that more messages can be sent. Resolves with false when
   * the connection is closed.
   */
  drained(): Promise<boolean> {
    return new Promise((resolve) => this.#onDrained.push(resolve))
  }

  send(reply: Reply): void {
    const [first] = reply
    this.#write(reply.length === 1 && first !== undefined ? first : bodyBytes({ body: reply }))
  }

  /** Sends an event soon, together with other events. */
  sendEvent(frame: EventFrame): void {
    if (this.#events === undefined) {
      this.#events = frame.bundle
      this.#modules.eventFlush.add(this)
    } else this.#events = this.#events.and(frame)
  }

  /** Writes the events that wait. */
  flush(): void {
    const events = this.#events
    if (events === undefined) return
    this.#events = undefined
    if (!this.isOpen) return
    const { meter } = this.#modules
    this.#unsent += events.count
    meter?.sent(events.size)
    meter?.delivered(events.count)
    this.#frames.writeFrames(events.takeBuffers(), () => this.#onWritten(events.count))
    this.#modules.onGrown(events.size)
  }

  /** Resolves all promises of `drained` with false. `RpcWebSocket` must call this method when the socket is closed. */
  close(): void {
    for (const go of this.#onDrained.splice(0)) go(false)
  }

  #write(frame: string | Uint8Array): void {
    const { socket, meter } = this.#modules
    if (socket.readyState !== OPEN) return
    this.flush()
    this.#unsent++
    const size = sizeOfPart(frame)
    meter?.sent(size)
    this.#frames.write(frame, this.#onSent)
    this.#modules.onGrown(size)
  }

  #onSent = (): void => this.#onWritten(1)

  #onWritten(count: number): void {
    this.#unsent -= count
    if (this.#onDrained.length > 0 && !this.isAhead) for (const go of this.#onDrained.splice(0)) go(this.isOpen)
    this.#modules.onSent()
  }
}
