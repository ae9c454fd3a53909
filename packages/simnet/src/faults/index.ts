export { applyFaults, type FaultRun } from './apply-faults.ts'
export { endOf, type Fault, type FaultKind } from './fault.ts'
export type { Effect, EffectHook, FaultTarget } from './target.ts'
