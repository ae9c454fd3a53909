export { anyEvidence } from './any-evidence.ts'
export { type Askable, anyExchange } from './any-exchange.ts'
