import { CodedError } from '@org/runtime/errors'

/** The codes of {@link ExecutionError}. */
export const EXECUTION_ERRORS = {
  invalidBlock: 'EXECUTION_INVALID_BLOCK',
  resultCount: 'EXECUTION_RESULT_COUNT',
  validatorUpdates: 'EXECUTION_VALIDATOR_UPDATES',
  paramUpdates: 'EXECUTION_PARAM_UPDATES',
  commitInfo: 'EXECUTION_COMMIT_INFO',
  unknownStatus: 'EXECUTION_UNKNOWN_STATUS',
  /** The application's PrepareProposal returned more transactions than other nodes accept. */
  tooManyTxs: 'EXECUTION_TOO_MANY_TXS',
  voteMismatch: 'EXECUTION_VOTE_MISMATCH',
  /** A fault in the list of the steps of a commit. */
  stepOrder: 'EXECUTION_STEP_ORDER',
} as const
/** A code of {@link ExecutionError}. */
export type ExecutionErrorCode = (typeof EXECUTION_ERRORS)[keyof typeof EXECUTION_ERRORS]

/** The error for a block, or for an answer of the application, with which the chain cannot continue. */
export class ExecutionError extends CodedError<ExecutionErrorCode> {}

export const stepOrder = (message: string): ExecutionError => new ExecutionError(EXECUTION_ERRORS.stepOrder, message)
