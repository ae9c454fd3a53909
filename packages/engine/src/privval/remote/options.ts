/** Time limits and the number of attempts for a remote signer. */
export interface RemoteSignerOptions {
  /** Milliseconds for which a request waits for a signer to connect, if no signer is connected. */
  readonly acceptTimeoutMs: number
  /** Milliseconds for which the node waits for the signer's answer to a request. */
  readonly answerTimeoutMs: number
  /**
   * The node pings the signer when no message was sent for this number of milliseconds. This is necessary because a
   * signer closes a connection without messages; the reference's signer closes it after 5 s.
   */
  readonly pingAfterMs: number
  /** The maximum number of attempts for one signature, while the signer is not connected or does not answer. */
  readonly attempts: number
  readonly retryAfterMs: number
}

/** The default limits for a remote signer. They are those of the reference. */
export const DEFAULT_REMOTE_SIGNER_OPTIONS: RemoteSignerOptions = {
  acceptTimeoutMs: 3_000,
  answerTimeoutMs: 5_000,
  pingAfterMs: 3_333,
  attempts: 50,
  retryAfterMs: 100,
}

/** The maximum size of a signer's message, in bytes, as in the reference. */
export const MAX_SIGNER_MESSAGE_SIZE = 10 * 1024

/**
 * The maximum number of connections that are in the handshake at the same time. If one more connection arrives, the
 * node closes the oldest connection of the host that has the most connections in the handshake.
 */
export const MAX_SIGNER_HANDSHAKES = 16
