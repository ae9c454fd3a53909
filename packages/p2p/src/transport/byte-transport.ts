/** The events of a {@link ByteTransport}. `close` comes once, last. */
export interface TransportHandlers {
  readonly data: (bytes: Uint8Array) => void
  /** After `write` returned false: there is room again. */
  readonly drain: () => void
  readonly close: (error: Error | undefined) => void
}

/** An ordered stream of bytes both ways: a TCP socket, or two ends in memory. Starts paused. */
export interface ByteTransport {
  /** The address of the other side, `host:port`. */
  readonly remoteAddress: string
  /** Writes bytes. Returns false if they wait in memory. The caller then waits for `drain` before it writes more. */
  readonly write: (bytes: Uint8Array) => boolean
  /** Replaces the handlers. Without handlers nothing is read. */
  readonly handle: (handlers: TransportHandlers) => void
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => void
}
