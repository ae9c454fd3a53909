export { applyFaults, type FaultRun } from './apply-faults.ts'
export { endOf, type Fault, type FaultKind } from './fault.ts'
