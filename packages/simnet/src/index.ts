export { createNetwork, type NetworkOptions, type SimNetwork } from './network/index.ts'
