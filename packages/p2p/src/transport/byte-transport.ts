/** The handlers for the events of a {@link ByteTransport}. `close` is called once, as the last event. */
export interface TransportHandlers {
  /** Receives bytes. `frames` is the number of encrypted frames that contained them, if the stream is encrypted. */
  readonly data: (bytes: Uint8Array, frames?: number) => void
  /** Called when the transport has room again, after `write` returned false. */
  readonly drain: () => void
  readonly close: (error: Error | undefined) => void
}

/**
 * An ordered stream of bytes in both directions: a TCP or unix socket, or one end of a stream in memory. It is paused
 * at first.
 */
export interface ByteTransport {
  /** The address of the other side, `host:port`. For a unix socket: `:0`. */
  readonly remoteAddress: string
  /**
   * Writes bytes. Returns false if the bytes wait in memory because the stream is full. The caller should then wait for
   * `drain` before it writes more.
   */
  readonly write: (bytes: Uint8Array) => boolean
  /** Replaces the handlers. Without handlers no bytes are read. */
  readonly handle: (handlers: TransportHandlers) => void
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => void
}
