import { type CommittedChain, NODE_ERRORS } from '@org/engine'
import { isCodedError } from '@org/runtime'
import { BlockIdFlag } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { addressOf, publicKeyOf } from '@org/types/crypto'
import type { SimNode } from '../node/index.ts'

/**
 * Returns the greatest height below `next` whose commit has a signature of the node; 0 if no commit has one. Searches
 * only the last `doubleSignCheckHeight - 1` heights, as the node itself does.
 */
function lastSigned({ options }: SimNode, { blockStore }: Pick<CommittedChain, 'blockStore'>, next: number): number {
  const address = addressOf(publicKeyOf(options.key))
  for (let height = next - 1; height > Math.max(0, next - options.doubleSignCheckHeight); height--) {
    const commit = blockStore.loadBlockCommit(height) ?? blockStore.loadSeenCommit(height)
    const signed = commit?.signatures.some(
      ({ blockIdFlag, validatorAddress }) =>
        blockIdFlag === BlockIdFlag.commit && equalBytes(validatorAddress, address),
    )
    if (signed === true) return height
  }
  return 0
}

/** Returns why the node must not sign at `height` and above; `undefined` if the node may sign. */
export function joiningFault(
  node: SimNode,
  engine: Pick<CommittedChain, 'blockStore'>,
  height: number,
): string | undefined {
  const signed = lastSigned(node, engine, height)
  return signed === 0
    ? undefined
    : `joins consensus at height ${height}, although block ${signed} has a recent signature of its key`
}

/**
 * Returns true if the node was right to stop. The node must have stopped with the error that its key signed a recent
 * block, and the commit of a recent block must have a signature of this key.
 */
export function isRightToStayAway(node: SimNode, error: Error): boolean {
  const engine = node.engine()
  if (!isCodedError(error, NODE_ERRORS.signedRecently) || engine === undefined) return false
  return lastSigned(node, engine, engine.blockStore.height() + 1) > 0
}
