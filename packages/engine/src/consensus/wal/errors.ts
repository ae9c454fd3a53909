import { CodedError } from '@org/runtime'

export const WAL_ERRORS = {
  /** A bad frame followed by readable ones, in the height to replay. */
  corrupted: 'WAL_CORRUPTED',
  /** A message above the limit. */
  tooBig: 'WAL_TOO_BIG',
  /** The disk returned an error for a write, a sync or a rename. */
  io: 'WAL_IO',
  closed: 'WAL_CLOSED',
} as const

export type WalErrorCode = (typeof WAL_ERRORS)[keyof typeof WAL_ERRORS]

export class WalError extends CodedError<WalErrorCode> {}
