export { CHANNELS, type ConsensusGossipOptions, DEFAULT_CONSENSUS_GOSSIP_OPTIONS } from './options.ts'
export type { GossipBlockStore, GossipConsensus, GossipPeers } from './ports.ts'
export { type ConsensusGossip, type ConsensusGossipModules, createConsensusGossip } from './reactor.ts'
