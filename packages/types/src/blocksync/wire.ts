import { Block } from '../block/wire.ts'
import { ExtendedCommit } from '../commit/commit.ts'
import { field, type Infer, message, oneof, optional, safeInt64, when } from '../schema/index.ts'

/** A request for the block at a height. */
export const BlockRequest = message('tendermint.blocksync.BlockRequest', { height: field(1, safeInt64) })
export type BlockRequest = Infer<typeof BlockRequest>

/** The answer that the peer does not have the requested block. */
export const NoBlockResponse = message('tendermint.blocksync.NoBlockResponse', { height: field(1, safeInt64) })
export type NoBlockResponse = Infer<typeof NoBlockResponse>

/** The answer with a block, and with its extended commit if vote extensions are enabled at its height. */
export const BlockResponse = message('tendermint.blocksync.BlockResponse', {
  block: optional(1, Block),
  extCommit: optional(2, ExtendedCommit),
})
export type BlockResponse = Infer<typeof BlockResponse>

/** A request for the heights of the blocks that the peer has. */
export const StatusRequest = message('tendermint.blocksync.StatusRequest', {})
export type StatusRequest = Infer<typeof StatusRequest>

/** The lowest and the highest height of the blocks that the peer has. */
export const StatusResponse = message('tendermint.blocksync.StatusResponse', {
  height: field(1, safeInt64),
  base: field(2, safeInt64),
})
export type StatusResponse = Infer<typeof StatusResponse>

/** A message of the block-sync channel (0x40). */
export const BlockSyncMessage = message('tendermint.blocksync.Message', {
  sum: oneof({
    blockRequest: when(1, BlockRequest),
    noBlockResponse: when(2, NoBlockResponse),
    blockResponse: when(3, BlockResponse),
    statusRequest: when(4, StatusRequest),
    statusResponse: when(5, StatusResponse),
  }),
})
export type BlockSyncMessage = Infer<typeof BlockSyncMessage>
