import { type Block, evidenceListToMisbehavior, hashBlock } from '@org/types'
import type { CommitInfo, RequestFinalizeBlock, RequestProcessProposal } from '@org/types/abci'

/** Returns the fields that the requests ProcessProposal and FinalizeBlock for a block have in common. */
function blockContent(block: Block): Omit<RequestFinalizeBlock, 'decidedLastCommit'> {
  const { header } = block
  return {
    txs: block.data.txs,
    misbehavior: evidenceListToMisbehavior(block.evidence.evidence),
    hash: hashBlock(block),
    height: header.height,
    time: header.time,
    nextValidatorsHash: header.nextValidatorsHash,
    proposerAddress: header.proposerAddress,
  }
}

/** Returns the request ProcessProposal for a block. */
export const processProposalRequest = (block: Block, proposedLastCommit: CommitInfo): RequestProcessProposal => ({
  ...blockContent(block),
  proposedLastCommit,
})

/** Returns the request FinalizeBlock for a block. */
export const finalizeBlockRequest = (block: Block, decidedLastCommit: CommitInfo): RequestFinalizeBlock => ({
  ...blockContent(block),
  decidedLastCommit,
})
