import { CodedError } from '@org/runtime/errors'

/** The codes of {@link ValidatorError}. */
export const VALIDATOR_ERRORS = {
  validator: 'VALIDATOR_INVALID',
  emptySet: 'VALIDATOR_SET_EMPTY',
  set: 'VALIDATOR_SET_INVALID',
  proposerNotInSet: 'VALIDATOR_PROPOSER_NOT_IN_SET',
  powerOverflow: 'VALIDATOR_POWER_OVERFLOW',
  change: 'VALIDATOR_CHANGE_INVALID',
  commit: 'COMMIT_INVALID',
  commitHeight: 'COMMIT_WRONG_HEIGHT',
  commitSize: 'COMMIT_WRONG_SIZE',
  commitBlockId: 'COMMIT_WRONG_BLOCK_ID',
  commitSignature: 'COMMIT_WRONG_SIGNATURE',
  commitDoubleVote: 'COMMIT_DOUBLE_VOTE',
  commitPower: 'COMMIT_NOT_ENOUGH_POWER',
  lightBlock: 'LIGHT_BLOCK_INVALID',
} as const

/** A code of {@link ValidatorError}. */
export type ValidatorErrorCode = (typeof VALIDATOR_ERRORS)[keyof typeof VALIDATOR_ERRORS]

/** An error about an invalid validator, set or change of a set, or about a commit that the set did not sign. */
export class ValidatorError extends CodedError<ValidatorErrorCode> {}
