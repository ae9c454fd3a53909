/** Bounds of the gRPC server. */
export interface GrpcLimits {
  /** The maximum number of open connections; 0: no limit. */
  readonly maxOpenConnections: number
  /** The maximum number of open calls on one connection. */
  readonly maxStreams: number
  /** The maximum number of bytes of a message. */
  readonly maxMessageBytes: number
  /** The maximum number of bytes of the headers of a call. */
  readonly maxHeaderBytes: number
  /**
   * A time limit in milliseconds. A client that has connected must begin HTTP/2 within this time. The message of a call
   * must arrive within this time after the call has begun.
   */
  readonly readTimeoutMs: number
  /** Milliseconds that a client may take to read an answer. */
  readonly writeTimeoutMs: number
  /** Milliseconds after which a connection without a call is closed. */
  readonly idleTimeoutMs: number
}

export const GRPC_LIMITS = {
  maxStreams: 100,
  /** The limit for the size of a message is 4 MiB, as in the reference. */
  maxMessageBytes: 4 * 1024 * 1024,
  maxHeaderBytes: 16 * 1024,
  writeTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
} as const
