/** `@org/engine/protocols`: the channels of the protocols between peers, and the default options of each. */
export { BLOCKSYNC_CHANNEL, type BlockSyncOptions, DEFAULT_BLOCKSYNC_OPTIONS } from '../blocksync/index.ts'
export { CHANNELS, type ConsensusGossipOptions, DEFAULT_CONSENSUS_GOSSIP_OPTIONS } from '../consensus/gossip/index.ts'
export { EVIDENCE_CHANNEL } from '../evidence/gossip/index.ts'
export { DEFAULT_MEMPOOL_GOSSIP_OPTIONS, MEMPOOL_CHANNEL, type MempoolGossipOptions } from '../mempool/gossip/index.ts'
export { STATESYNC_CHANNELS } from '../statesync/index.ts'
