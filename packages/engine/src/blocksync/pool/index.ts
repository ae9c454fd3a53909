export { DEFAULT_POOL_OPTIONS, type PoolOptions } from './options.ts'
export { type AddResult, type BlockPool, createBlockPool } from './pool.ts'
export type { PooledBlock } from './pooled-block.ts'
