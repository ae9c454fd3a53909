export { hashOf, heightOf, type LightBlock, lightBlockFromWire, lightBlockToWire } from './block/light-block.ts'
export { createLightClient, type LightClient } from './client/light-client.ts'
export type { LightClientModules, LightClientOptions, LightProgress, TrustRoot } from './client/options.ts'
export {
  type DetectedAttack,
  type HeaderFault,
  isLightFailure,
  LIGHT_ERRORS,
  LightError,
  type LightErrorCode,
  type LightFailure,
  type MissingPower,
  type StoreFault,
} from './errors.ts'
export {
  type AnswerBounds,
  type BoundedAnswer,
  boundedFetch,
  countItems,
  createBoundedAnswer,
  redirectError,
} from './provider/bounded-fetch.ts'
export { createHttpProvider, type HttpProviderModules, type HttpProviderOptions } from './provider/http-provider.ts'
export type { Provider, RequestOptions } from './provider/port.ts'
export {
  createRpcProvider,
  type ProviderRetry,
  type RpcProviderModules,
  type RpcProviderOptions,
} from './provider/rpc-provider.ts'
export { createMemoryLightStore } from './store/memory-store.ts'
export type { LightStore } from './store/port.ts'
export { isHeaderExpired } from './verifier/expiry.ts'
export type { VerificationRules } from './verifier/rules.ts'
export { DEFAULT_TRUST_LEVEL, validateTrustLevel } from './verifier/trust-level.ts'
export { type TrustedBlock, verify, verifyAdjacent, verifyNonAdjacent } from './verifier/verify.ts'
export { verifyBackwards } from './verifier/verify-backwards.ts'
