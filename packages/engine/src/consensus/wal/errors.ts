import { CodedError } from '@org/runtime'

export const WAL_ERRORS = {
  /** A bad frame with readable ones behind it, in the height that would be replayed. */
  corrupted: 'WAL_CORRUPTED',
  /** A message over the limit. */
  tooBig: 'WAL_TOO_BIG',
  /** The disk refused a write, a sync or a rename. */
  io: 'WAL_IO',
  closed: 'WAL_CLOSED',
} as const

export type WalErrorCode = (typeof WAL_ERRORS)[keyof typeof WAL_ERRORS]

export class WalError extends CodedError<WalErrorCode> {}
