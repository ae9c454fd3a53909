import { BlockId } from '../block-id/id.ts'
import { bytes, enumeration, field, hexBytes, type Infer, int32, message, safeInt64, time } from '../schema/index.ts'

/** The type of a signed message. */
export const SignedMsgType = { unknown: 0, prevote: 1, precommit: 2, proposal: 32 } as const
export type SignedMsgType = (typeof SignedMsgType)[keyof typeof SignedMsgType]

/** tendermint.types.Vote: a prevote or precommit. If `blockId` is zero, the vote is for nil. */
export const Vote = message('tendermint.types.Vote', {
  type: field(1, enumeration<SignedMsgType>()),
  height: field(2, safeInt64),
  round: field(3, int32),
  blockId: field(4, BlockId),
  timestamp: field(5, time),
  validatorAddress: field(6, hexBytes),
  validatorIndex: field(7, int32),
  signature: field(8, bytes, { jsonEmpty: 'null' }),
  extension: field(9, bytes, { jsonEmpty: 'null' }),
  extensionSignature: field(10, bytes, { jsonEmpty: 'null' }),
})
export type Vote = Infer<typeof Vote>

/**
 * tendermint.types.Proposal: names the block that the proposer proposes for a round. `polRound` is -1 without a proof
 * of lock.
 */
export const Proposal = message('tendermint.types.Proposal', {
  type: field(1, enumeration<SignedMsgType>(), { json: 'Type' }),
  height: field(2, safeInt64),
  round: field(3, int32),
  polRound: field(4, int32),
  blockId: field(5, BlockId),
  timestamp: field(6, time),
  signature: field(7, bytes, { jsonEmpty: 'null' }),
})
export type Proposal = Infer<typeof Proposal>
