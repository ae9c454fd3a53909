import { type Block, evidenceListToMisbehavior, hashBlock } from '@org/types'
import type { CommitInfo, RequestFinalizeBlock } from '@org/types/abci'

/** Returns the request FinalizeBlock for a block. */
export function finalizeBlockRequest(block: Block, decidedLastCommit: CommitInfo): RequestFinalizeBlock {
  const { header } = block
  return {
    txs: block.data.txs,
    decidedLastCommit,
    misbehavior: evidenceListToMisbehavior(block.evidence.evidence),
    hash: hashBlock(block),
    height: header.height,
    time: header.time,
    nextValidatorsHash: header.nextValidatorsHash,
    proposerAddress: header.proposerAddress,
  }
}
