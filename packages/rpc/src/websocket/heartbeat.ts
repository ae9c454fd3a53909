import type { Clock, Timer } from '@org/runtime'
import type { WebSocket } from 'ws'

/** Milliseconds after which a connection that receives nothing is closed. */
const READ_WAIT_MS = 30_000
/** Milliseconds between two pings. */
const PING_PERIOD_MS = (READ_WAIT_MS * 9) / 10

/** Closes a WebSocket on which nothing was received for {@link READ_WAIT_MS}. */
export class Heartbeat {
  readonly #socket: WebSocket
  readonly #clock: Clock
  #lastHeard: number
  #ping: Timer | undefined

  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket
    this.#clock = clock
    this.#lastHeard = clock.monotonic()
    socket.on('pong', this.received)
    socket.on('ping', this.received)
    this.#schedule()
  }

  /** Records that the client still works. `RpcWebSocket` must call this method for each received message. */
  received = (): void => {
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
