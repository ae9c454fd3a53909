import { CodedError } from '@org/runtime'

export const PRIVVAL_ERRORS = {
  /** A key or state file is not there. */
  missing: 'PRIVVAL_FILE_MISSING',
  /** A key or state file is not what it should be. Nothing was overwritten. */
  corrupt: 'PRIVVAL_FILE_CORRUPT',
  /** The disk refused. After a failed write nothing is signed any more. */
  io: 'PRIVVAL_IO',
  /** An earlier height, round or step than the last signed. */
  regression: 'PRIVVAL_REGRESSION',
  /** Other content for a height, round and step that is signed. */
  conflict: 'PRIVVAL_CONFLICTING_DATA',
  /** A message that must not be signed at all. */
  malformed: 'PRIVVAL_MALFORMED',
} as const

export type PrivvalErrorCode = (typeof PRIVVAL_ERRORS)[keyof typeof PRIVVAL_ERRORS]

export class PrivvalError extends CodedError<PrivvalErrorCode> {}
