export { POOLED_SIGNATURES, type SignatureChecker } from './checker.ts'
export { createSignatureThread, type SignatureThread } from './thread.ts'
