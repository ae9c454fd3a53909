/** One client's connection, with what it makes the node keep in memory. */
export interface Holder {
  /** Names the connection in the log, such as `WebSocket 127.0.0.1:4711`. */
  readonly name: () => string
  /** Bytes of requests that are being read, that wait, or that are being answered. */
  readonly requestBytes: () => number
  /** Bytes of answers and events that the client has not taken yet. */
  readonly unreadBytes: () => number
  /** Ends the connection. The client is told `reason` if nothing else waits in front of it. */
  readonly shed: (reason: string) => void
}

/** Is told what connections hold. */
export interface HolderRegistry {
  /** Adds a connection. Returns how to remove it. */
  readonly join: (holder: Holder) => () => void
  /** Says that `holder` came to hold up to so many bytes more. The call may shed connections, also `holder`. */
  readonly grew: (bytes: number, holder: Holder) => void
}

/** Bounds nothing. */
export const UNBOUNDED: HolderRegistry = { join: () => () => undefined, grew: () => undefined }
