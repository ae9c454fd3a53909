import { CodedError } from '@org/runtime/errors'

/** The codes of {@link BackfillError}. */
export const BACKFILL_ERRORS = {
  /** The header that a server sent is not the one to which the header above it refers. */
  header: 'BACKFILL_BAD_HEADER',
  /** The commit that a server sent is not the one to which the header above it refers. */
  commit: 'BACKFILL_BAD_COMMIT',
  /** The validators that a server sent are not those to which their header refers. */
  validators: 'BACKFILL_BAD_VALIDATORS',
} as const
/** A code of {@link BackfillError}. */
export type BackfillErrorCode = (typeof BACKFILL_ERRORS)[keyof typeof BACKFILL_ERRORS]

/** The error for a wrong answer of a server. The same height is then requested from another server. */
export class BackfillError extends CodedError<BackfillErrorCode> {}
