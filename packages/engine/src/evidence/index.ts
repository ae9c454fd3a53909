export { EVIDENCE_ERRORS, EvidenceError, type EvidenceErrorCode } from './errors.ts'
export { type ExpiryState, isEvidenceExpired } from './expiry.ts'
export { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS, type EvidencePool } from './pool.ts'
