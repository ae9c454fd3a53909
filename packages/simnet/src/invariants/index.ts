export { createMonitor, type Monitor, type Violation } from './monitor.ts'
