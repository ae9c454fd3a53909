export { BEHAVIOURS, type Behaviour, FORGERIES } from './byzantine/index.ts'
export {
  type Advance,
  CHAIN_ERRORS,
  type Chain,
  ChainError,
  type ChainErrorCode,
  type ChainOptions,
  createChain,
  type Snapshot,
  type TxOutcome,
} from './chain/index.ts'
export {
  createDevnet,
  DEVNET_ERRORS,
  type Devnet,
  DevnetError,
  type DevnetErrorCode,
  type DevnetOptions,
} from './devnet/index.ts'
export type { CrashKind } from './disk/index.ts'
export type { Fault, FaultKind } from './faults/index.ts'
export type { Monitor, Violation } from './invariants/index.ts'
export {
  attackLightClient,
  LIGHT_ATTACKS,
  type LightAttack,
  type LightClientResult,
  type LightClientScenario,
} from './light-clients/index.ts'
export { type Conclusion, createNetwork, type NetworkOptions, type SimNetwork } from './network/index.ts'
export { WAL_FILE } from './node/index.ts'
export {
  CHOSEN,
  type CrashPlace,
  type CrashPoint,
  type CrashRecord,
  type CrashSweep,
  crashPoints,
  crashScenario,
  makeJoinScenario,
  makeScenario,
  type RunOptions,
  type RunResult,
  recordCrashes,
  runScenario,
  type Scenario,
  shrink,
} from './scenario/index.ts'
export { WORLD_ERRORS, WorldError, type WorldErrorCode } from './world/index.ts'
