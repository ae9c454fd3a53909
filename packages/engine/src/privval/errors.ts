import { CodedError } from '@org/runtime'

/** The codes of {@link PrivvalError}. */
export const PRIVVAL_ERRORS = {
  /** A key or state file is missing. */
  missing: 'PRIVVAL_FILE_MISSING',
  /** A key or state file is not valid. The signer did not overwrite the file. */
  corrupt: 'PRIVVAL_FILE_CORRUPT',
  /** The key file is missing, but the state file shows that the key has signed. No file was written. */
  keyGone: 'PRIVVAL_KEY_GONE',
  /** The disk returned an error. After a failed write the signer signs nothing more. */
  io: 'PRIVVAL_IO',
  /** The message to sign has an earlier height, round or step than the message that was signed last. */
  regression: 'PRIVVAL_REGRESSION',
  /** The key has already signed another message for the height, round and step of this message. */
  conflict: 'PRIVVAL_CONFLICTING_DATA',
  /** The message has a form that is never signed, for example a prevote with a vote extension. */
  malformed: 'PRIVVAL_MALFORMED',
  /** The node cannot listen at the address for remote signers. */
  listen: 'PRIVVAL_LISTEN',
  /** The program that connected is not the remote signer with the configured id. */
  signerUnknown: 'PRIVVAL_SIGNER_UNKNOWN',
  /** No remote signer connected in time. */
  noSigner: 'PRIVVAL_NO_SIGNER',
  /** The remote signer closed the connection, did not answer in time, or sent an invalid answer. */
  signerLost: 'PRIVVAL_SIGNER_LOST',
  /** The remote signer refused the request; `data` contains the signer's message. */
  signerRefused: 'PRIVVAL_SIGNER_REFUSED',
  /**
   * The remote signer's answer has no valid public key, or its signature is not a valid signature of the message that
   * the node sent.
   */
  signerAnswer: 'PRIVVAL_SIGNER_ANSWER',
  /** This node has closed the connection. */
  closed: 'PRIVVAL_CLOSED',
} as const

/** A code of {@link PrivvalError}. */
export type PrivvalErrorCode = (typeof PRIVVAL_ERRORS)[keyof typeof PRIVVAL_ERRORS]

/** The error of a signer and of its files. Its code is one of {@link PRIVVAL_ERRORS}. */
export class PrivvalError extends CodedError<PrivvalErrorCode> {}
