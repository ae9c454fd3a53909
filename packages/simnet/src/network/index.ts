export { validatorsFault } from './check.ts'
export type { Conclusion } from './conclude.ts'
export { createNetwork, type Effect, type EffectHook, type SimNetwork } from './create-network.ts'
export { DEFAULT_NETWORK, type ExchangeOptions, type NetworkOptions } from './options.ts'
