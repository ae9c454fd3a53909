export { BLOCK_PROTOCOL } from '../version/versions.ts'
export {
  type BlockContent,
  blockHashesTo,
  hashBlock,
  isEncodingOf,
  MAX_HASHED_AT_ONCE,
  makeBlock,
  makeBlockParts,
  validateBlockBasic,
  validateBlockForm,
} from './block.ts'
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
export { makeBlockMeta, validateBlockMetaBasic } from './block-meta.ts'
export { Commit, CommitSig, ExtendedCommit, ExtendedCommitSig } from './commit.ts'
export {
  ABSENT_COMMIT_SIG,
  ABSENT_EXTENDED_COMMIT_SIG,
  commitSigBlockId,
  commitToExtendedCommit,
  commitVote,
  extendedCommitToCommit,
  extendedCommitVote,
  formatCommitSig,
  hashCommit,
  voteToCommitSig,
  voteToExtendedCommitSig,
} from './commit-votes.ts'
export { hashData, hashDataInTurns, hashTx, hashTxs, proveTx, proveTxs, validateTxProof } from './data.ts'
export { BLOCK_ERRORS, BlockError, type BlockErrorCode } from './errors.ts'
export { hashHeader } from './hash-header.ts'
export { Header } from './header.ts'
export { BlockId, BlockIdFlag, PartSetHeader } from './id.ts'
export { LightBlock, SignedHeader } from './light.ts'
export { medianTime } from './median-time.ts'
export {
  BLOCK_PART_SIZE_BYTES,
  MAX_BLOCK_PARTS_COUNT,
  makePartSet,
  PartSet,
  partSetFromHeader,
  validatePartBasic,
} from './part-set.ts'
export { hashResults } from './results.ts'
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
export {
  ensureExtensions,
  MAX_VOTE_EXTENSION_SIZE,
  validateCommitBasic,
  validateCommitSigBasic,
  validateExtendedCommitBasic,
  validateExtendedCommitSigBasic,
} from './validate-commit.ts'
export { MAX_CHAIN_ID_LENGTH, validateHeaderBasic } from './validate-header.ts'
export { Block, BlockMeta, Data, Part, TxProof } from './wire.ts'
