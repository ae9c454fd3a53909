export { DuplicateVoteEvidence, Evidence, EvidenceList, LightClientAttackEvidence } from './wire.ts'
