import { CodedError } from '@org/runtime'

/** The codes of {@link PrivvalError}. */
export const PRIVVAL_ERRORS = {
  /** A key or state file is missing. */
  missing: 'PRIVVAL_FILE_MISSING',
  /** A key or state file is not valid. Nothing was overwritten. */
  corrupt: 'PRIVVAL_FILE_CORRUPT',
  /** The key file is missing, but the state file shows that its key has signed. Nothing was written. */
  keyGone: 'PRIVVAL_KEY_GONE',
  /** The disk returned an error. After a failed write the signer signs nothing more. */
  io: 'PRIVVAL_IO',
  /** The message to sign has a height, round or step before the last signature. */
  regression: 'PRIVVAL_REGRESSION',
  /** The height, round and step of the message are signed already, with other content. */
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
  /** The remote signer refused; `data` has its message. */
  signerRefused: 'PRIVVAL_SIGNER_REFUSED',
  /** The remote signer's answer has no valid public key, or no valid signature of the request by the signer's key. */
  signerAnswer: 'PRIVVAL_SIGNER_ANSWER',
  /** This node has closed the connection. */
  closed: 'PRIVVAL_CLOSED',
} as const

/** A code of {@link PrivvalError}. */
export type PrivvalErrorCode = (typeof PRIVVAL_ERRORS)[keyof typeof PRIVVAL_ERRORS]

/** The error of a signer and of its files. Its code is one of {@link PRIVVAL_ERRORS}. */
export class PrivvalError extends CodedError<PrivvalErrorCode> {}
