export { Part } from './part.ts'
export {
  BLOCK_PART_SIZE_BYTES,
  MAX_BLOCK_PARTS_COUNT,
  makePartSet,
  PartSet,
  partSetFromHeader,
  validatePartBasic,
} from './part-set.ts'
export {
  type BlockBudget,
  MAX_BLOCK_SIZE_BYTES,
  MAX_COMMIT_OVERHEAD_BYTES,
  MAX_COMMIT_SIG_BYTES,
  MAX_HEADER_BYTES,
  MAX_OVERHEAD_FOR_BLOCK,
  MAX_PROPOSED_ITEMS,
  maxCommitBytes,
  maxDataBytes,
  maxDataBytesNoEvidence,
  maxProposedTxs,
  txProtoSize,
  txsProtoSize,
  validateTxsSize,
} from './size.ts'
