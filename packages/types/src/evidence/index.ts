export { EVIDENCE_ERRORS, EvidenceError, type EvidenceErrorCode } from './errors.ts'
export { evidenceBytes, evidenceListSize, evidenceSum, hasEvidence, hashEvidence, hashEvidenceItem } from './hash.ts'
export { byzantineValidators, isConflictingHeaderInvalid } from './light-client-attack.ts'
export { duplicateVoteEvidence, type EvidenceContext, makeDuplicateVoteEvidence } from './make.ts'
export {
  evidenceHeight,
  evidenceListToMisbehavior,
  evidenceTime,
  evidenceToMisbehavior,
  formatEvidence,
} from './misbehavior.ts'
export { validateEvidenceBasic } from './validate.ts'
export { DuplicateVoteEvidence, Evidence, EvidenceList, LightClientAttackEvidence } from './wire.ts'
