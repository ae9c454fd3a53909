import { CodedError } from '@org/runtime/errors'

/** The codes of {@link BootstrapError}. */
export const BOOTSTRAP_ERRORS = {
  /** The home has blocks. */
  notEmpty: 'BOOTSTRAP_NOT_EMPTY',
  /** The state belongs to another chain than the genesis document. */
  chain: 'BOOTSTRAP_OTHER_CHAIN',
  /** The commit does not prove the last block of the state: it is for another block, or a signature is invalid. */
  commit: 'BOOTSTRAP_BAD_COMMIT',
} as const
/** A code of {@link BootstrapError}. */
export type BootstrapErrorCode = (typeof BOOTSTRAP_ERRORS)[keyof typeof BOOTSTRAP_ERRORS]

/**
 * The error that is thrown if the home or the restored state does not allow the node to begin from a snapshot. No
 * state was saved.
 */
export class BootstrapError extends CodedError<BootstrapErrorCode> {}
