export { POOLED_SIGNATURES, type SignatureChecker } from './checker.ts'
