import { CodedError } from '@org/runtime/errors'

/** The codes of {@link ChainError}. */
export const CHAIN_ERRORS = {
  /**
   * The node stopped by itself, most often because the application threw an error. The `cause` of the error is the
   * reason.
   */
  halted: 'CHAIN_HALTED',
  /**
   * No block was made for a long virtual time: the application refuses every proposal, has no validators left, or does
   * not answer.
   */
  stuck: 'CHAIN_STUCK',
  /**
   * Validators refused the proposals of every validator at one height, so that the height cannot be decided. The
   * message names the validators.
   */
  proposalsRefused: 'CHAIN_PROPOSALS_REFUSED',
  /** Validators refused so many vote extensions that a height cannot be decided. The message names the validators. */
  extensionsRefused: 'CHAIN_EXTENSIONS_REFUSED',
  /**
   * The validators answered InitChain, or executed a block, differently. The message names the validators and the
   * first values that differ.
   */
  disagreement: 'CHAIN_VALIDATORS_DISAGREE',
  /** The call needs `app` to be a function that makes the application, but `app` is an application. */
  needsFactory: 'CHAIN_NEEDS_FACTORY',
  /**
   * An invalid option, or an invalid argument of a method. The message names the option or argument, and its right
   * form.
   */
  badOption: 'CHAIN_BAD_OPTION',
  stopped: 'CHAIN_STOPPED',
} as const

/** A code of {@link ChainError}. */
export type ChainErrorCode = (typeof CHAIN_ERRORS)[keyof typeof CHAIN_ERRORS]

/** The error of a chain for tests. Its code is one of {@link CHAIN_ERRORS}. */
export class ChainError extends CodedError<ChainErrorCode> {}
