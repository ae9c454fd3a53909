import type { Socket } from 'node:net'
import type { FlushQueue } from './flush-queue.ts'

/**
 * The number of waiting bytes above which the writer writes the answers at once, and not only at the end of the turn of
 * the event loop.
 */
const MAX_HELD = 64 * 1024

export interface AnswerWriterModules {
  readonly flushQueue: FlushQueue
  /** Called when the client reads too slowly, so that written data has to wait in the memory of this process. */
  readonly onBlocked: () => void
  /** Called when the client has read the data that waited. */
  readonly onDrained: () => void
}

/** Writes answers to a connection. Short answers of one turn of the event loop are collected and written together. */
export class AnswerWriter {
  readonly #socket: Socket
  readonly #modules: AnswerWriterModules
  /** A binary string that is written to the socket at the end of the turn of the event loop. */
  #held = ''
  #blocked = false

  constructor(socket: Socket, modules: AnswerWriterModules) {
    this.#socket = socket
    this.#modules = modules
  }

  /** True while written data waits for the client to read. During this time, no further answer is made. */
  get isBlocked(): boolean {
    return this.#blocked
  }

  /**
   * Adds `text` to the answers that are written together at the end of this turn of the event loop. `text` is a binary
   * string: each character is one byte.
   */
  enqueue(text: string): void {
    const isFirst = this.#held === ''
    this.#held += text
    // `flushQueue.add` may call `flush` of this writer at once, so the text is added to `#held` first.
    if (isFirst) this.#modules.flushQueue.add(this)
    if (this.#held.length > MAX_HELD) this.flush()
  }

  write(parts: readonly Uint8Array[]): void {
    this.flush()
    let flowing = true
    this.#socket.cork()
    for (const part of parts) flowing = this.#socket.write(part)
    this.#socket.uncork()
    if (!flowing) this.#block()
  }

  /** Writes the text that waits. */
  flush(): void {
    if (this.#held === '') return
    const text = this.#held
    this.#held = ''
    if (!this.#socket.write(text, 'latin1')) this.#block()
  }

  #block(): void {
    if (this.#blocked) return
    this.#blocked = true
    this.#modules.onBlocked()
    this.#socket.once('drain', this.#onDrain)
  }

  #onDrain = (): void => {
    this.#blocked = false
    this.#modules.onDrained()
  }
}
