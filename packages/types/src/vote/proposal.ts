import { fingerprint, formatBlockId, isBlockIdComplete, validateBlockIdBasic } from '../block-id/block-id.ts'
import { MAX_SIGNATURE_SIZE } from '../crypto/keys.ts'
import { verifySignature } from '../crypto/verify.ts'
import type { PublicKey } from '../crypto/wire.ts'
import { BLOCK_PART_SIZE_BYTES } from '../parts/part-set.ts'
import { MAX_BLOCK_SIZE_BYTES } from '../parts/size.ts'
import { formatTime } from '../time/index.ts'
import { VOTE_ERRORS, VoteError } from './errors.ts'
import { proposalSignBytes } from './sign-bytes.ts'
import { type Proposal, SignedMsgType } from './wire.ts'

const invalid = (message: string): VoteError => new VoteError(VOTE_ERRORS.proposal, message)

/** Throws {@link VoteError} on a proposal that is not well formed. The signature is not verified. */
export function validateProposalBasic(proposal: Proposal): void {
  if (proposal.type !== SignedMsgType.proposal) throw invalid('invalid Type')
  if (proposal.height < 0) throw invalid('negative Height')
  if (proposal.round < 0) throw invalid('negative Round')
  if (proposal.polRound < -1) throw invalid('negative POLRound (exception: -1)')
  try {
    validateBlockIdBasic(proposal.blockId)
  } catch (cause) {
    throw new VoteError(VOTE_ERRORS.proposal, `wrong BlockID: ${(cause as Error).message}`, { cause })
  }
  if (!isBlockIdComplete(proposal.blockId)) {
    throw invalid(`expected a complete, non-empty BlockID, got: ${formatBlockId(proposal.blockId)}`)
  }
  if (proposal.signature.length === 0) throw invalid('signature is missing')
  if (proposal.signature.length > MAX_SIGNATURE_SIZE) {
    throw invalid(`signature is too big (max: ${MAX_SIGNATURE_SIZE})`)
  }
}

/**
 * Throws {@link VoteError} if the block has more parts than `maxBytes` allows. A `maxBytes` of -1 allows the largest
 * possible block.
 */
export function validateProposalBlockSize(proposal: Proposal, maxBytes: bigint): void {
  const bytes = maxBytes === -1n ? MAX_BLOCK_SIZE_BYTES : Number(maxBytes)
  const maxParts = Math.trunc((bytes - 1) / BLOCK_PART_SIZE_BYTES) + 1
  const { total } = proposal.blockId.partSetHeader
  if (total > maxParts) {
    throw new VoteError(VOTE_ERRORS.proposalParts, `proposal has too many parts ${total} (max: ${maxParts})`)
  }
}

/** Returns true if the key signed the proposal for this chain. */
export function verifyProposal(chainId: string, publicKey: PublicKey, proposal: Proposal): boolean {
  return verifySignature(publicKey, proposalSignBytes(chainId, proposal), proposal.signature)
}

/** Returns the text that the reference's messages and its consensus state show for a proposal. */
export function formatProposal(proposal: Proposal): string {
  const { height, round, blockId, polRound, signature, timestamp } = proposal
  const what = `${height}/${round} (${formatBlockId(blockId)}, ${polRound})`
  return `Proposal{${what} ${fingerprint(signature)} @ ${formatTime(timestamp)}}`
}
