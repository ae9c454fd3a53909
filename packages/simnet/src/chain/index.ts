export { type Chain, createChain, type Snapshot, type TxOutcome } from './create-chain.ts'
export { CHAIN_ERRORS, ChainError, type ChainErrorCode } from './errors.ts'
export type { Advance, ChainOptions } from './options.ts'
