import { BlockId } from '../block-id/id.ts'
import { field, hexBytes, type Infer, type MessageSchema, message, safeInt64, string, time } from '../schema/index.ts'
import { ConsensusVersion } from '../version/wire.ts'

const headerSchema = message('tendermint.types.Header', {
  version: field(1, ConsensusVersion),
  chainId: field(2, string),
  height: field(3, safeInt64),
  time: field(4, time),
  lastBlockId: field(5, BlockId),
  lastCommitHash: field(6, hexBytes),
  dataHash: field(7, hexBytes),
  validatorsHash: field(8, hexBytes),
  nextValidatorsHash: field(9, hexBytes),
  consensusHash: field(10, hexBytes),
  appHash: field(11, hexBytes),
  lastResultsHash: field(12, hexBytes),
  evidenceHash: field(13, hexBytes),
  proposerAddress: field(14, hexBytes),
})
/** tendermint.types.Header: the part of a block from which the block's hash is made. */
export interface Header extends Infer<typeof headerSchema> {}
export const Header: MessageSchema<Header> = headerSchema
