import type { WebSocket } from 'ws'

/** A WebSocket whose answer to a close frame can wait. */
export interface HoldableSocket extends WebSocket {
  /**
   * Called when a close frame is about to be sent, also if it answers the close frame of the client. The frame is sent
   * only when `close` is called.
   */
  onClosing?: (close: () => void) => void
}

/**
 * Returns a subclass of `Base` that can delay its close frames. Before the subclass sends a close frame, it calls
 * `onClosing` with a function that sends the frame. So a close frame of the client can be answered after the last
 * message. `Base` itself answers a close frame of the client at once, and then no further message can be sent.
 */
export function holdableSockets(Base: typeof WebSocket): typeof WebSocket {
  return class extends Base implements HoldableSocket {
    onClosing?: (close: () => void) => void

    override close(code?: number, reason?: string | Buffer): void {
      const close = (): void => super.close(code, reason)
      if (this.onClosing === undefined) close()
      else this.onClosing(close)
    }
  }
}
