export { anyEvidence } from './any-evidence.ts'
export { anyExchange, type CallableOperation } from './any-exchange.ts'
