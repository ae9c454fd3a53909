/** How long is waited for a remote signer, and how often it is asked again. */
export interface RemoteSignerOptions {
  /** For a signer to dial in, where one is needed. */
  readonly acceptTimeoutMs: number
  /** For an answer. */
  readonly answerTimeoutMs: number
  /** Silence after which the signer is pinged. Signers hang up after a silence, the reference's after 5 s. */
  readonly pingAfterMs: number
  /** How often a signature is asked for, where the signer is away or falls silent. */
  readonly attempts: number
  readonly retryAfterMs: number
}

/** The reference's figures. */
export const DEFAULT_REMOTE_SIGNER_OPTIONS: RemoteSignerOptions = {
  acceptTimeoutMs: 3_000,
  answerTimeoutMs: 5_000,
  pingAfterMs: 3_333,
  attempts: 50,
  retryAfterMs: 100,
}

/** The longest message of a signer, in bytes, as for the reference. */
export const MAX_SIGNER_MESSAGE_SIZE = 10 * 1024

/** Handshakes of signers at once; further connections are closed. */
export const MAX_SIGNER_HANDSHAKES = 4
