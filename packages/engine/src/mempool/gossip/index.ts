export { DEFAULT_MEMPOOL_GOSSIP_OPTIONS, MEMPOOL_CHANNEL, type MempoolGossipOptions } from './options.ts'
export type { GossipMempool } from './ports.ts'
export { createMempoolGossip } from './reactor.ts'
