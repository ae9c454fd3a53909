export { EVIDENCE_ERRORS, EvidenceError, type EvidenceErrorCode } from './errors.ts'
export { isEvidenceExpired } from './expiry.ts'
export {
  createEvidencePool,
  DEFAULT_EVIDENCE_OPTIONS,
  type EvidencePool,
  type EvidencePoolModules,
  type EvidencePoolOptions,
} from './pool.ts'
export { verifyDuplicateVote } from './verify-duplicate-vote.ts'
export { verifyLightClientAttack } from './verify-light-client-attack.ts'
