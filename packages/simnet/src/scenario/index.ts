export { CHOSEN } from './chosen-networks.ts'
export {
  type CrashPlace,
  type CrashPoint,
  type CrashRecord,
  type CrashSweep,
  crashPoints,
  crashScenario,
  recordCrashes,
} from './crash-scenario.ts'
export { makeJoinScenario } from './join-scenario.ts'
export { makeScenario, type Scenario } from './make-scenario.ts'
export { type RunOptions, type RunResult, runScenario } from './run-scenario.ts'
export { shrink } from './shrink.ts'
