/** Time limits and the number of attempts for a remote signer. */
export interface RemoteSignerOptions {
  /** Milliseconds for which a request waits for a signer to connect, if no signer is connected. */
  readonly acceptTimeoutMs: number
  /** Milliseconds for which the node waits for the signer's answer to a request. */
  readonly answerTimeoutMs: number
  /**
   * Milliseconds without a message after which the node pings the signer. A signer closes a silent connection; the
   * reference's signer does so after 5 s.
   */
  readonly pingAfterMs: number
  /** The maximum number of attempts for one signature, while the signer is not connected or does not answer. */
  readonly attempts: number
  readonly retryAfterMs: number
}

/** The default limits for a remote signer: the reference's figures. */
export const DEFAULT_REMOTE_SIGNER_OPTIONS: RemoteSignerOptions = {
  acceptTimeoutMs: 3_000,
  answerTimeoutMs: 5_000,
  pingAfterMs: 3_333,
  attempts: 50,
  retryAfterMs: 100,
}

/** The maximum size of a signer's message, in bytes; the reference's figure. */
export const MAX_SIGNER_MESSAGE_SIZE = 10 * 1024

/** The maximum number of handshakes with signers at the same time; further connections are closed. */
export const MAX_SIGNER_HANDSHAKES = 4
