import type { Socket } from 'node:net'
import type { Outbox } from './outbox.ts'

/** Answers held back until the end of the turn; more leave at once. */
const MAX_HELD = 64 * 1024

export interface AnswerWriterModules {
  readonly outbox: Outbox
  /** The other side does not take what is written, */
  readonly onBlocked: () => void
  /** and takes it again. */
  readonly onDrained: () => void
}

/** Writes answers to a connection: those of one turn of the event loop leave together. */
export class AnswerWriter {
  readonly #socket: Socket
  readonly #modules: AnswerWriterModules
  /** What leaves at the end of the turn, as a binary string. */
  #held = ''
  #blocked = false

  constructor(socket: Socket, modules: AnswerWriterModules) {
    this.#socket = socket
    this.#modules = modules
  }

  /** What was written waits for the other side: nothing more is to be answered until it is taken. */
  get isBlocked(): boolean {
    return this.#blocked
  }

  /** Writes a binary string at the end of the turn. */
  hold(text: string): void {
    const isFirst = this.#held === ''
    this.#held += text
    // It may be flushed at once.
    if (isFirst) this.#modules.outbox.add(this)
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

  /** Writes what is held back. */
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
