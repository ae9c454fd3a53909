export { openLevelStorage } from './level-storage.ts'
export { createMemoryStorage } from './memory-storage.ts'
export type { KeyValueStorage, Replacement, StorageOp } from './storage.ts'
