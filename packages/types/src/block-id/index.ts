export {
  blockIdKey,
  equalBlockIds,
  equalPartSetHeaders,
  fingerprint,
  formatBlockId,
  formatPartSetHeader,
  isBlockIdComplete,
  isBlockIdZero,
  isPartSetHeaderZero,
  validateBlockIdBasic,
  validateHash,
  validatePartSetHeaderBasic,
  ZERO_BLOCK_ID,
  ZERO_PART_SET_HEADER,
} from './block-id.ts'
export { BLOCK_ERRORS, BlockError, type BlockErrorCode } from './errors.ts'
export { BlockId, BlockIdFlag, PartSetHeader } from './id.ts'
