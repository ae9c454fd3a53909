import { CodedError } from '@org/runtime/errors'

/** The codes of {@link EvidenceError}. */
export const EVIDENCE_ERRORS = {
  invalid: 'EVIDENCE_INVALID',
  missing: 'EVIDENCE_MISSING_PART',
  stranger: 'EVIDENCE_UNKNOWN_VALIDATOR',
  overflow: 'EVIDENCE_OVERFLOW',
} as const

/** A code of {@link EvidenceError}. */
export type EvidenceErrorCode = (typeof EVIDENCE_ERRORS)[keyof typeof EVIDENCE_ERRORS]

/** An error about evidence that does not prove misbehaviour. */
export class EvidenceError extends CodedError<EvidenceErrorCode> {}
