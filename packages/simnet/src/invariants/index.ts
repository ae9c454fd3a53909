export { boundFaults } from './bounds.ts'
export type { ChainRecord, Committed } from './chain-record.ts'
export type { AppCall } from './extensions.ts'
export { createMonitor, type Monitor, type Violation } from './monitor.ts'
