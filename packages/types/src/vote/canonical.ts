import {
  bytes,
  enumeration,
  field,
  hexBytes,
  type Infer,
  message,
  optional,
  safeInt64,
  safeSfixed64,
  string,
  time,
  uint32,
} from '../schema/index.ts'
import type { SignedMsgType } from './wire.ts'

/** tendermint.types.CanonicalPartSetHeader: a part set header as a part of the signed bytes. */
export const CanonicalPartSetHeader = message('tendermint.types.CanonicalPartSetHeader', {
  total: field(1, uint32),
  hash: field(2, hexBytes),
})
export type CanonicalPartSetHeader = Infer<typeof CanonicalPartSetHeader>

/** tendermint.types.CanonicalBlockID: a block id as a part of the signed bytes. */
export const CanonicalBlockId = message('tendermint.types.CanonicalBlockID', {
  hash: field(1, hexBytes),
  partSetHeader: field(2, CanonicalPartSetHeader),
})
export type CanonicalBlockId = Infer<typeof CanonicalBlockId>

/**
 * tendermint.types.CanonicalVote: the content that a validator signs for a vote, with a length prefix. A vote for nil
 * has no `blockId`.
 */
export const CanonicalVote = message('tendermint.types.CanonicalVote', {
  type: field(1, enumeration<SignedMsgType>()),
  height: field(2, safeSfixed64),
  round: field(3, safeSfixed64),
  blockId: optional(4, CanonicalBlockId),
  timestamp: field(5, time),
  chainId: field(6, string),
})
export type CanonicalVote = Infer<typeof CanonicalVote>

/** tendermint.types.CanonicalProposal: the content of a proposal that the proposer signs. */
export const CanonicalProposal = message('tendermint.types.CanonicalProposal', {
  type: field(1, enumeration<SignedMsgType>()),
  height: field(2, safeSfixed64),
  round: field(3, safeSfixed64),
  polRound: field(4, safeInt64),
  blockId: optional(5, CanonicalBlockId),
  timestamp: field(6, time),
  chainId: field(7, string),
})
export type CanonicalProposal = Infer<typeof CanonicalProposal>

/** tendermint.types.CanonicalVoteExtension: the content of a vote extension that the validator signs. */
export const CanonicalVoteExtension = message('tendermint.types.CanonicalVoteExtension', {
  extension: field(1, bytes),
  height: field(2, safeSfixed64),
  round: field(3, safeSfixed64),
  chainId: field(4, string),
})
export type CanonicalVoteExtension = Infer<typeof CanonicalVoteExtension>
