export { dropOldest } from './drop-oldest.ts'
