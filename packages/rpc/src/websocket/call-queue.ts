import type { WebSocket } from 'ws'
import type { Reply } from '../call/envelope.ts'
import type { Binary } from '../json/index.ts'

/**
 * The maximum bytes of calls that wait while one call is answered. Above this limit, no more is read from the socket.
 */
const MAX_WAITING_BYTES = 64 * 1024
/** The approximate memory of a waiting call in addition to its text, in bytes. */
const CALL_OVERHEAD = 64
/**
 * The maximum bytes of answers and events that the client has not read. Above this limit, no further call is answered.
 */
const MAX_UNREAD_BYTES = 1024 * 1024

export interface CallQueueModules {
  readonly socket: Pick<WebSocket, 'bufferedAmount' | 'isPaused' | 'pause' | 'resume'>
  /** Answers the call in a message. Returns `undefined` for a notification, which has no answer. */
  readonly answer: (text: Binary) => Reply | undefined | Promise<Reply | undefined>
  /** Makes the answer to a call if `answer` returned a promise that rejects. */
  readonly fault: (error: unknown) => Reply
  readonly send: (reply: Reply) => void
}

/**
 * The calls of one WebSocket. They are answered one after the other, in their order, and only while the client reads.
 */
export class CallQueue {
  readonly #modules: CallQueueModules
  readonly #waiting: Binary[] = []
  #waitingBytes = 0
  #busy = false
  /** The number of bytes of the call that is being answered. */
  #answeringBytes = 0
  #closed = false
  #onIdle: (() => void) | undefined

  constructor(modules: CallQueueModules) {
    this.#modules = modules
  }

  /** True if the only reason why calls wait is that the client has not read earlier answers and events. */
  get isHeldUp(): boolean {
    return this.#waiting.length > 0 && !this.#busy && !this.#closed
  }

  /** The number of bytes of the calls that wait and of the call that is being answered. */
  get bytes(): number {
    return this.#waitingBytes + this.#answeringBytes
  }

  push(text: Binary): void {
    const { socket } = this.#modules
    this.#waiting.push(text)
    this.#waitingBytes += text.length + CALL_OVERHEAD
    if (!this.#busy) this.#next()
    if (this.#waitingBytes > MAX_WAITING_BYTES && !socket.isPaused) socket.pause()
  }

  /** `RpcWebSocket` calls this method when the client has read something. */
  resume(): void {
    const { socket } = this.#modules
    this.#next()
    if (socket.isPaused && this.#waitingBytes <= MAX_WAITING_BYTES / 2) socket.resume()
  }

  /** Calls `onIdle` as soon as no call waits and no call is being answered. This may be at once. */
  whenIdle(onIdle: () => void): void {
    this.#onIdle = onIdle
    if (!this.#busy) this.#next()
  }

  close(): void {
    this.#closed = true
    this.#waiting.length = 0
    this.#waitingBytes = 0
  }

  #next(): void {
    const { socket, answer, fault, send } = this.#modules
    while (!this.#closed) {
      const [text] = this.#waiting
      if (text === undefined) {
        this.#onIdle?.()
        return
      }
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) return
      this.#waiting.shift()
      this.#waitingBytes -= text.length + CALL_OVERHEAD
      const reply = answer(text)
      if (reply instanceof Promise) {
        this.#busy = true
        this.#answeringBytes = text.length
        reply.then(this.#finish, (error: unknown) => this.#finish(fault(error)))
        return
      }
      if (reply !== undefined) send(reply)
    }
  }

  #finish = (reply: Reply | undefined): void => {
    this.#answeringBytes = 0
    if (this.#closed) return
    if (reply !== undefined) this.#modules.send(reply)
    this.#busy = false
    this.resume()
  }
}
