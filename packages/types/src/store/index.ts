export { BlockStoreState } from './wire.ts'
