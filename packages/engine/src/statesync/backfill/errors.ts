import { CodedError } from '@org/runtime/errors'

/** The codes of {@link BackfillError}. */
export const BACKFILL_ERRORS = {
  /** A server sent a header whose hash is not in the header of the next height. */
  header: 'BACKFILL_BAD_HEADER',
  /** A server sent a commit that does not match the header of the next height. */
  commit: 'BACKFILL_BAD_COMMIT',
  /** A server sent validators whose hash is not in the header of their height. */
  validators: 'BACKFILL_BAD_VALIDATORS',
  /**
   * The code of a log line. A block with +2/3 votes has evidence about a height whose header no server has sent yet.
   * The node cannot verify this evidence, so it waits for the header.
   */
  awaited: 'BACKFILL_HEADER_AWAITED',
} as const
/** A code of {@link BackfillError}. */
export type BackfillErrorCode = (typeof BACKFILL_ERRORS)[keyof typeof BACKFILL_ERRORS]

/** The error for a wrong answer of a server. The same height is then requested from another server. */
export class BackfillError extends CodedError<BackfillErrorCode> {}
