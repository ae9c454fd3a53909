export { DEFAULT_POOL_OPTIONS, type PoolOptions } from './options.ts'
export { type BlockPool, createBlockPool, type Taking } from './pool.ts'
export type { PooledBlock } from './pooled-block.ts'
