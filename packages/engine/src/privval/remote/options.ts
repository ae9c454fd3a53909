/** Time limits and the number of attempts for a remote signer. */
export interface RemoteSignerOptions {
  /** The time limit for a signer to connect when one is needed. */
  readonly acceptTimeoutMs: number
  /** The time limit for an answer. */
  readonly answerTimeoutMs: number
  /**
   * Milliseconds of silence after which the signer is pinged. Signers close silent connections; the reference's does
   * after 5 s.
   */
  readonly pingAfterMs: number
  /** The number of attempts for a signature, if the signer is not connected or does not answer. */
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

/** The longest message of a signer, in bytes, as for the reference. */
export const MAX_SIGNER_MESSAGE_SIZE = 10 * 1024

/** The maximum number of handshakes with signers at the same time; further connections are closed. */
export const MAX_SIGNER_HANDSHAKES = 4
