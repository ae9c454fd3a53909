import { CodedError } from '@org/runtime'

export const PRIVVAL_ERRORS = {
  /** A key or state file is not there. */
  missing: 'PRIVVAL_FILE_MISSING',
  /** A key or state file is not what it should be. Nothing was overwritten. */
  corrupt: 'PRIVVAL_FILE_CORRUPT',
  /** The key file is gone, but the state file says that its key signed already. Nothing was written. */
  keyGone: 'PRIVVAL_KEY_GONE',
  /** The disk refused. After a failed write nothing is signed any more. */
  io: 'PRIVVAL_IO',
  /** An earlier height, round or step than the last signed. */
  regression: 'PRIVVAL_REGRESSION',
  /** Other content for a height, round and step that is signed. */
  conflict: 'PRIVVAL_CONFLICTING_DATA',
  /** A message that must not be signed at all. */
  malformed: 'PRIVVAL_MALFORMED',
  /** The address where remote signers should dial in cannot be had. */
  listen: 'PRIVVAL_LISTEN',
  /** A program dialled in that is not the remote signer with the configured id. */
  signerUnknown: 'PRIVVAL_SIGNER_UNKNOWN',
  /** No remote signer dialled in in time. */
  noSigner: 'PRIVVAL_NO_SIGNER',
  /** The remote signer hung up, fell silent or talked nonsense. */
  signerLost: 'PRIVVAL_SIGNER_LOST',
  /** The remote signer said no; `data` has its words. */
  signerRefused: 'PRIVVAL_SIGNER_REFUSED',
  /** What the remote signer gave is not a signature, by its key, of what was asked for. */
  signerAnswer: 'PRIVVAL_SIGNER_ANSWER',
  /** This node has hung up. */
  closed: 'PRIVVAL_CLOSED',
} as const

export type PrivvalErrorCode = (typeof PRIVVAL_ERRORS)[keyof typeof PRIVVAL_ERRORS]

export class PrivvalError extends CodedError<PrivvalErrorCode> {}
