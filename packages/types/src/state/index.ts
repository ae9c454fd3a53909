export { BlockStoreState } from '../store/index.ts'
export {
  AbciResponsesInfo,
  ConsensusParamsInfo,
  LegacyAbciResponses,
  ResponseBeginBlock,
  ResponseEndBlock,
  State,
  ValidatorsInfo,
  Version,
} from './wire.ts'
