import { isBlockIdZero } from '../block-id/block-id.ts'
import type { BlockId } from '../block-id/id.ts'
import { type CanonicalBlockId, CanonicalProposal, CanonicalVote, CanonicalVoteExtension } from './canonical.ts'
import { type Proposal, SignedMsgType, type Vote } from './wire.ts'

function canonicalBlockId(id: BlockId): CanonicalBlockId | undefined {
  return isBlockIdZero(id) ? undefined : id
}

/** Returns the bytes that a validator signs for a vote. */
export function voteSignBytes(
  chainId: string,
  vote: Pick<Vote, 'type' | 'height' | 'round' | 'blockId' | 'timestamp'>,
): Uint8Array {
  const { type, height, round, timestamp } = vote
  const blockId = canonicalBlockId(vote.blockId)
  return CanonicalVote.encodeDelimited({ type, height, round, blockId, timestamp, chainId })
}

/** Returns the bytes that a proposer signs for a proposal. */
export function proposalSignBytes(chainId: string, proposal: Omit<Proposal, 'signature' | 'type'>): Uint8Array {
  const { height, round, polRound, timestamp } = proposal
  const blockId = canonicalBlockId(proposal.blockId)
  const type = SignedMsgType.proposal
  return CanonicalProposal.encodeDelimited({ type, height, round, polRound, blockId, timestamp, chainId })
}

/** Returns the bytes that a validator signs for a vote extension. */
export function voteExtensionSignBytes(
  chainId: string,
  vote: Pick<Vote, 'extension' | 'height' | 'round'>,
): Uint8Array {
  const { extension, height, round } = vote
  return CanonicalVoteExtension.encodeDelimited({ extension, height, round, chainId })
}
