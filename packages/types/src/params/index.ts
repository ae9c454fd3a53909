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
