export { validatorsFault } from './check.ts'
export { createNetwork } from './create-network.ts'
export type { NetworkOptions } from './options.ts'
export type { Conclusion, SimNetwork } from './sim-network.ts'
