/* Exports everything that a page with verified answers can need. */

export * from '../src/verified/index.ts'
export * from './browser-entry.ts'
