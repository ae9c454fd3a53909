/* Every export of the client and of the store of a page: the worst case of a bundle. */
export * from '../src/index.ts'
export * from '../src/indexeddb/index.ts'
