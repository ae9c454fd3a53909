import type { WebSocket } from 'ws'

/** A WebSocket whose answer to a close frame can wait. */
export interface HoldableSocket extends WebSocket {
  /**
   * Called in place of sending a close frame, even if the frame answers the client's close frame. `close` sends the
   * frame.
   */
  onClosing?: (close: () => void) => void
}

/**
 * Returns a class of WebSockets that call `onClosing`. The library itself answers the close frame of a client at once,
 * and after that no message can be sent.
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
