/** The connection of one client, and the memory that the node holds for it. */
export interface TrackedConnection {
  /** Names the connection in the log, such as `WebSocket 127.0.0.1:4711`. */
  readonly name: () => string
  /** The number of bytes of requests that are being read, that wait, or that are being answered. */
  readonly requestBytes: () => number
  /** The number of bytes of answers and events that the client has not read yet. */
  readonly unreadBytes: () => number
  /** Ends the connection, if possible after `reason` has been sent to the client. */
  readonly shed: (reason: string) => void
}

/** A registry of connections, and of the memory that each of them holds. */
export interface ConnectionRegistry {
  /** Adds a connection. Returns a function that removes it. */
  readonly join: (holder: TrackedConnection) => () => void
  /**
   * Reports that the memory of `holder` may have grown by up to `bytes`. If a limit is exceeded, this call closes
   * connections, maybe also `holder` itself.
   */
  readonly grew: (bytes: number, holder: TrackedConnection) => void
}

/** A registry that limits nothing: it accepts each connection and closes none. */
export const UNBOUNDED: ConnectionRegistry = { join: () => () => undefined, grew: () => undefined }
