export { POOLED_SIGNATURES, type SignatureChecker } from './checker.ts'
export { chargedChecker, createExactChecks, type ExactChecks, pacedChecker } from './exact-checks.ts'
export { createSignatureThread, type SignatureThread } from './thread.ts'
