import { CodedError } from '@org/runtime'

export const WAL_ERRORS = {
  /** The messages of the height to replay contain a damaged frame, and readable frames follow it. */
  corrupted: 'WAL_CORRUPTED',
  /** The message is longer than a frame may be. */
  tooBig: 'WAL_TOO_BIG',
  /** The disk returned an error for a write, a sync or a rename. */
  io: 'WAL_IO',
  closed: 'WAL_CLOSED',
} as const

export type WalErrorCode = (typeof WAL_ERRORS)[keyof typeof WAL_ERRORS]

export class WalError extends CodedError<WalErrorCode> {}
