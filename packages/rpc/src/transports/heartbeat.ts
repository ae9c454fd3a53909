import type { Clock, Timer } from '@org/runtime'
import type { WebSocket } from 'ws'

/** A connection from which nothing comes for this long is ended. */
export const READ_WAIT_MS = 30_000
/** Pings are sent this often. */
export const PING_PERIOD_MS = (READ_WAIT_MS * 9) / 10

/** Ends a WebSocket that has gone silent. */
export class Heartbeat {
  readonly #socket: WebSocket
  readonly #clock: Clock
  #lastHeard: number
  #ping: Timer | undefined

  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket
    this.#clock = clock
    this.#lastHeard = clock.monotonic()
    socket.on('pong', this.heard)
    socket.on('ping', this.heard)
    this.#schedule()
  }

  /** The other side is there. */
  heard = (): void => {
    this.#lastHeard = this.#clock.monotonic()
  }

  stop(): void {
    this.#ping?.cancel()
  }

  #schedule(): void {
    this.#ping = this.#clock.after(PING_PERIOD_MS, () => {
      if (this.#clock.monotonic() - this.#lastHeard > READ_WAIT_MS) {
        this.#socket.terminate()
        return
      }
      this.#socket.ping()
      this.#schedule()
    })
  }
}
