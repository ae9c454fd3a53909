export { anyEvidence } from './any-evidence.ts'
export { type Askable, anyExchange, anyLike } from './any-exchange.ts'
