export { createEngine, type EngineModules } from './create-engine.ts'
export type {
  BlockMaking,
  ChainEvents,
  ChainStart,
  CommittedChain,
  Engine,
  Pools,
  SignatureWork,
} from './engine.ts'
export { NODE_ERRORS, NodeError } from './errors.ts'
export { type GenesisSource, type LoadedGenesis, loadGenesis } from './load-genesis.ts'
export { openIndex } from './open-index.ts'
export { openStores, type Stores } from './open-stores.ts'
export type { EngineOptions } from './options.ts'
export type { RestoreFirst, RestoreParts, RestoreStart } from './restore-first.ts'
export { mustWaitForBlocks } from './sync-decision.ts'
export type { TxWaiters } from './tx-waiters.ts'
