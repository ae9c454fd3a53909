/* Exports everything of the client and of the store of a page: the largest bundle that a page can need. */
export * from '../src/index.ts'
export * from '../src/indexeddb/index.ts'
