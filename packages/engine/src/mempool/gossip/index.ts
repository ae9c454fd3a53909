export { DEFAULT_MEMPOOL_GOSSIP_OPTIONS, MEMPOOL_CHANNEL, type MempoolGossipOptions } from './options.ts'
export type { GossipMempool, PeerHeights } from './ports.ts'
export { createMempoolGossip, type MempoolGossip, type MempoolGossipModules } from './reactor.ts'
