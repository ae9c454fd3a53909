export { type IndexedDbLightStoreOptions, openIndexedDbLightStore } from './indexeddb-store.ts'
