export { EVIDENCE_CHANNEL } from './options.ts'
export { createEvidenceGossip, type EvidenceGossip, type EvidenceGossipModules } from './reactor.ts'
