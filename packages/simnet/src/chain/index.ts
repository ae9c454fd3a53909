export type { Chain, Snapshot, TxOutcome } from './chain.ts'
export { createChain } from './create-chain.ts'
export { CHAIN_ERRORS, ChainError, type ChainErrorCode } from './errors.ts'
export type { Advance, ChainOptions } from './options.ts'
