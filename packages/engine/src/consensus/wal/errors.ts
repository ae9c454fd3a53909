import { CodedError } from '@org/runtime'

/** The codes of {@link WalError}. */
export const WAL_ERRORS = {
  /** Among the messages to replay, a frame is damaged and readable frames follow it, or a message cannot be decoded. */
  corrupted: 'WAL_CORRUPTED',
  /** The message is longer than a frame may be. */
  tooBig: 'WAL_TOO_BIG',
  /** The system returned an error for a file operation, such as a read, a write, a sync or a rename. */
  io: 'WAL_IO',
  closed: 'WAL_CLOSED',
} as const

/** A code of {@link WalError}. */
export type WalErrorCode = (typeof WAL_ERRORS)[keyof typeof WAL_ERRORS]

/** The error of the write-ahead log. Its code is one of {@link WAL_ERRORS}. */
export class WalError extends CodedError<WalErrorCode> {}
