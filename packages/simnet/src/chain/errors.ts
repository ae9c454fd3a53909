import { CodedError } from '@org/runtime/errors'

export const CHAIN_ERRORS = {
  /** The node stopped by itself: see the cause. Most often the application threw. */
  halted: 'CHAIN_HALTED',
  /** No block came although much virtual time passed, as the application refuses every proposal or has no validators left; or it does not answer. */
  stuck: 'CHAIN_STUCK',
  /** The validators executed a block differently. The message names the validators, the block and the transaction. */
  disagreement: 'CHAIN_VALIDATORS_DISAGREE',
  /** Something that needs `app` to be a function that makes the application. */
  needsFactory: 'CHAIN_NEEDS_FACTORY',
  /** An option, or what `advance` or `revert` is given, is none. */
  badOption: 'CHAIN_BAD_OPTION',
  stopped: 'CHAIN_STOPPED',
} as const

export type ChainErrorCode = (typeof CHAIN_ERRORS)[keyof typeof CHAIN_ERRORS]

export class ChainError extends CodedError<ChainErrorCode> {}
