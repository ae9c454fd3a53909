export * from './inner.ts'
export { type Kept } from './inner.ts'
