export { CHANNELS, type ConsensusGossipOptions, DEFAULT_CONSENSUS_GOSSIP_OPTIONS } from './options.ts'
export type { GossipConsensus } from './ports.ts'
export { type ConsensusGossip, createConsensusGossip } from './reactor.ts'
