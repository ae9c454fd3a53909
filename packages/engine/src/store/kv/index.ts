export { type LevelStoreOptions, openLevelStore } from './level-store.ts'
export { createMemoryStore } from './memory-store.ts'
export { type Batch, del, type Entry, type KeyRange, type KeyValueStore, type Op, prefixRange, put } from './port.ts'
