/**
 * `@org/simnet/network`: simulated networks of full nodes, with faults and dishonest nodes. This entry contains neither
 * the RPC nor `createChain`, which tests of applications use. The web page of `apps/playground` bundles this entry.
 */
export { BEHAVIOURS, type Behaviour, corrupt } from '../byzantine/index.ts'
export type { Violation } from '../invariants/index.ts'
export { createNetwork, type NetworkOptions, type SimNetwork } from '../network/index.ts'
export { type NodeStatus, type SimNode, signStateOf } from '../node/index.ts'
export type { ChannelMessage, InFlightMessage, Interceptor, WireWatch } from '../peers/index.ts'
export { makeScenario, type RunResult, runScenario, type Scenario } from '../scenario/index.ts'
export { createRandomSource, type RandomSource } from '../world/index.ts'
