export type { Answer, Args, PartlyVerified, Unverified, Verified } from './answer.ts'
export type { VerifiedBlock, VerifiedBlocks, VerifiedFound } from './blocks.ts'
export type { EventCover, VerifiedEvent } from './events.ts'
export type { QueryOptions, QueryQuestion, VerifiedQuery } from './query.ts'
export type { VerifiedParams, VerifiedResult, VerifiedResults, VerifiedState, VerifiedValidators } from './state.ts'
export type { VerifiedTransactions, VerifiedTx } from './transactions.ts'
export {
  createVerifiedClient,
  createVerifiedMethods,
  type Trust,
  type VerifiedClient,
  type VerifiedClientOptions,
  type VerifiedMethodsModules,
  type VerifiedMethodsOptions,
} from './verified-client.ts'
