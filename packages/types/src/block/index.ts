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
export { makeBlockMeta, validateBlockMetaBasic } from './block-meta.ts'
export { hashData, hashDataInTurns, hashTx, hashTxs, proveTx, proveTxs, validateTxProof } from './data.ts'
export { medianTime } from './median-time.ts'
export { hashResults } from './results.ts'
export { Block, BlockMeta, Data, TxProof } from './wire.ts'
