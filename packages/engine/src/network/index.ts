export { createNetwork, type Network, type NetworkModules } from './create-network.ts'
export type { Introduction, NetworkOptions } from './options.ts'
