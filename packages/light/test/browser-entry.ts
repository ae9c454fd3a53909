/*
 * Exports all that a web page can need: the client, and the store for web pages. The bundle of this module is the
 * largest bundle that a page can need.
 */
export * from '../src/index.ts'
export * from '../src/indexeddb/index.ts'
