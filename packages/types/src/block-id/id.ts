import { field, hexBytes, type Infer, type MessageSchema, message, uint32 } from '../schema/index.ts'

const partSetHeaderSchema = message('tendermint.types.PartSetHeader', {
  total: field(1, uint32),
  hash: field(2, hexBytes),
})
/** tendermint.types.PartSetHeader: the number of parts of a block, and their Merkle root. */
export interface PartSetHeader extends Infer<typeof partSetHeaderSchema> {}
export const PartSetHeader: MessageSchema<PartSetHeader> = partSetHeaderSchema

const blockIdSchema = message('tendermint.types.BlockID', {
  hash: field(1, hexBytes),
  partSetHeader: field(2, PartSetHeader, { json: 'parts' }),
})
/**
 * tendermint.types.BlockID: the hash of a block and its part set header. The zero value means nil, which is no block.
 */
export interface BlockId extends Infer<typeof blockIdSchema> {}
export const BlockId: MessageSchema<BlockId> = blockIdSchema

/** The vote that an entry of a commit represents: no vote, a vote for the block, or a vote for nil. */
export const BlockIdFlag = { unknown: 0, absent: 1, commit: 2, nil: 3 } as const
export type BlockIdFlag = (typeof BlockIdFlag)[keyof typeof BlockIdFlag]
