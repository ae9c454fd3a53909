export { createValidatorSet, updateWithChangeSet } from './changes.ts'
export {
  type ExtendedCommitClaim,
  type FindInvalid,
  type FindInvalidSync,
  verifyCommit,
  verifyCommitLight,
  verifyCommitLightAllSignatures,
  verifyCommitLightSync,
  verifyCommitLightTrusting,
  verifyCommitLightTrustingAllSignatures,
  verifyCommitLightTrustingAndOwn,
  verifyCommitSync,
  verifyExtendedCommit,
} from './commit.ts'
export type { CommitClaim, Fraction, TrustingClaim } from './commit-plan.ts'
export { VALIDATOR_ERRORS, ValidatorError, type ValidatorErrorCode } from './errors.ts'
export {
  copyIncrementProposerPriority,
  createSetRotation,
  type RotationState,
  rotationStateBytes,
  rotationStepCost,
  type SetRotation,
} from './rotation.ts'
export {
  compareByPower,
  EMPTY_VALIDATOR_SET,
  hasAddress,
  hashProposerPriorities,
  hashValidators,
  type IndexedValidator,
  MAX_TOTAL_VOTING_POWER,
  proposerOf,
  totalVotingPower,
  validateValidatorSetBasic,
  validatorByAddress,
  validatorSetFromExisting,
} from './set.ts'
export {
  createValidator,
  formatValidator,
  validateValidatorBasic,
  validatorBytes,
  validatorToUpdate,
} from './validator.ts'
export { NonEmptyValidatorSet, SimpleValidator, Validator, ValidatorSet } from './wire.ts'
