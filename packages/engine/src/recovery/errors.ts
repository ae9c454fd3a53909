import { CodedError } from '@org/runtime/errors'

/** The codes of {@link RecoveryError}. */
export const RECOVERY_ERRORS = {
  noState: 'RECOVERY_NO_STATE',
  heights: 'RECOVERY_HEIGHTS',
  missingBlock: 'RECOVERY_MISSING_BLOCK',
  missingResponses: 'RECOVERY_MISSING_RESPONSES',
  range: 'RECOVERY_RANGE',
} as const
/** A code of {@link RecoveryError}. */
export type RecoveryErrorCode = (typeof RECOVERY_ERRORS)[keyof typeof RECOVERY_ERRORS]

/** The error for a home that cannot be rolled back or indexed again as requested. */
export class RecoveryError extends CodedError<RecoveryErrorCode> {}
