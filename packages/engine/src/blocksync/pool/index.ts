export { DEFAULT_POOL_OPTIONS, type PoolOptions } from './options.ts'
export { type BlockPool, createBlockPool, type PoolEffect, type PooledBlock, type Taking } from './pool.ts'
