export { PARAMS_ERRORS, ParamsError, type ParamsErrorCode } from './errors.ts'
export { formatDuration } from './format-duration.ts'
export {
  defaultConsensusParams,
  hashConsensusParams,
  isPubKeyTypeAllowed,
  updateConsensusParams,
  validateConsensusParams,
  validateParamsUpdate,
  voteExtensionsEnabled,
} from './params.ts'
export {
  AbciParams,
  BlockParams,
  ConsensusParams,
  ConsensusParamsUpdate,
  EvidenceParams,
  HashedParams,
  ValidatorParams,
  VersionParams,
} from './wire.ts'
