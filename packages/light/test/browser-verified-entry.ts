/* Every export of a page with verified answers. */

export * from '../src/verified/index.ts'
export * from './browser-entry.ts'
