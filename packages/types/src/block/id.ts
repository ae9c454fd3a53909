import { field, hexBytes, type Infer, message, uint32 } from '../schema/index.ts'

/** tendermint.types.PartSetHeader: how many parts a block was cut into, and their Merkle root. */
export const PartSetHeader = message('tendermint.types.PartSetHeader', {
  total: field(1, uint32),
  hash: field(2, hexBytes),
})
export type PartSetHeader = Infer<typeof PartSetHeader>

/** tendermint.types.BlockID; the zero value means nil, no block. */
export const BlockId = message('tendermint.types.BlockID', {
  hash: field(1, hexBytes),
  partSetHeader: field(2, PartSetHeader, { json: 'parts' }),
})
export type BlockId = Infer<typeof BlockId>

/** The kind of vote of a commit signature. */
export const BlockIdFlag = { unknown: 0, absent: 1, commit: 2, nil: 3 } as const
export type BlockIdFlag = (typeof BlockIdFlag)[keyof typeof BlockIdFlag]
