export { EVIDENCE_CHANNEL } from './options.ts'
export { createEvidenceGossip, type EvidenceGossipModules } from './reactor.ts'
