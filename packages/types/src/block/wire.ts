import { BlockId } from '../block-id/id.ts'
import { Commit } from '../commit/commit.ts'
import { Proof } from '../crypto/wire.ts'
import { EvidenceList } from '../evidence/wire.ts'
import { Header } from '../header/header.ts'
import {
  bytes,
  field,
  hexBytes,
  type Infer,
  type MessageSchema,
  message,
  optional,
  repeated,
  safeInt64,
} from '../schema/index.ts'

const dataSchema = message('tendermint.types.Data', {
  txs: repeated(1, bytes),
})
/** tendermint.types.Data: the transactions of a block. */
export interface Data extends Infer<typeof dataSchema> {}
export const Data: MessageSchema<Data> = dataSchema

const blockSchema = message('tendermint.types.Block', {
  header: field(1, Header),
  data: field(2, Data),
  evidence: field(3, EvidenceList),
  lastCommit: optional(4, Commit),
})
/** tendermint.types.Block: a header, transactions, evidence, and the commit of the block before. */
export interface Block extends Infer<typeof blockSchema> {}
export const Block: MessageSchema<Block> = blockSchema

const blockMetaSchema = message('tendermint.types.BlockMeta', {
  blockId: field(1, BlockId),
  blockSize: field(2, safeInt64),
  header: field(3, Header),
  numTxs: field(4, safeInt64),
})
/** tendermint.types.BlockMeta: the id, the size, the header and the number of transactions of a block. */
export interface BlockMeta extends Infer<typeof blockMetaSchema> {}
export const BlockMeta: MessageSchema<BlockMeta> = blockMetaSchema

/** tendermint.types.TxProof: the proof that a transaction is in a block's data. */
export const TxProof = message('tendermint.types.TxProof', {
  rootHash: field(1, hexBytes),
  data: field(2, bytes),
  proof: field(3, Proof),
})
export type TxProof = Infer<typeof TxProof>
