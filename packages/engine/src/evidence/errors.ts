import { CodedError } from '@org/runtime/errors'

export const EVIDENCE_ERRORS = {
  invalid: 'EVIDENCE_INVALID',
  committed: 'EVIDENCE_COMMITTED',
  duplicate: 'EVIDENCE_DUPLICATE',
  height: 'EVIDENCE_POOL_HEIGHT',
  stored: 'EVIDENCE_STORED',
} as const
export type EvidenceErrorCode = (typeof EVIDENCE_ERRORS)[keyof typeof EVIDENCE_ERRORS]

/** Evidence that does not prove misbehaviour, or that is twice in a list. */
export class EvidenceError extends CodedError<EvidenceErrorCode> {}

/** The error of a failed verification; the message is the reference's reason. */
export function invalid(reason: string, cause?: unknown): EvidenceError {
  return new EvidenceError(EVIDENCE_ERRORS.invalid, reason, cause === undefined ? {} : { cause })
}
