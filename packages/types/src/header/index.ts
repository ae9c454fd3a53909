export { hashHeader } from './hash-header.ts'
export { Header } from './header.ts'
export { MAX_CHAIN_ID_LENGTH, validateHeaderBasic } from './validate-header.ts'
