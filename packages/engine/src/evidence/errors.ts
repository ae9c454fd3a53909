import { CodedError } from '@org/runtime/errors'

/** The codes of {@link EvidenceError}. */
export const EVIDENCE_ERRORS = {
  invalid: 'EVIDENCE_INVALID',
  committed: 'EVIDENCE_COMMITTED',
  duplicate: 'EVIDENCE_DUPLICATE',
  height: 'EVIDENCE_POOL_HEIGHT',
  stored: 'EVIDENCE_STORED',
  /** The header of the evidence's height is missing, and is being fetched after state sync. */
  noHeader: 'EVIDENCE_NO_HEADER',
  /**
   * Too much evidence is pending: the evidence of all validators together has reached its limit, or the evidence
   * against the accused validator has reached its limit.
   */
  full: 'EVIDENCE_POOL_FULL',
} as const
/** A code of {@link EvidenceError}. */
export type EvidenceErrorCode = (typeof EVIDENCE_ERRORS)[keyof typeof EVIDENCE_ERRORS]

/** An error about evidence, for example because the evidence does not prove misbehaviour, or is in a list twice. */
export class EvidenceError extends CodedError<EvidenceErrorCode> {}

/** Returns the error for evidence that is invalid. `reason` is the text of the reference. */
export function invalid(reason: string, cause?: unknown): EvidenceError {
  return new EvidenceError(EVIDENCE_ERRORS.invalid, reason, cause === undefined ? {} : { cause })
}
