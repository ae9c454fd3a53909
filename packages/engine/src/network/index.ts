export { createNetwork, type Network, type NetworkModules } from './create-network.ts'
export { type OpenedNetwork, type OpenNetworkModules, type OpenNetworkOptions, openNetwork } from './open-network.ts'
export type { Introduction, NetworkOptions } from './options.ts'
export type { NetworkEngine } from './ports.ts'
