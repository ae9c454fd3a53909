export { agreedParams, type ParamsSource } from './agreed-params.ts'
export { type BlockSource, checkPriorities } from './agreed-priorities.ts'
export { PROVIDER_ERRORS, ProviderError, type ProviderErrorCode } from './errors.ts'
export { createStateProvider, type StateProviderModules } from './state-provider.ts'
