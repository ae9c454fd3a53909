import { type State, totalVotingPower, validatorByAddress } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { addressOf, type PublicKey } from '@org/types/crypto'
import { extensionsEnabled } from '../consensus/machine/index.ts'
import type { BlockStore } from '../store/index.ts'

/** Returns true if `key` is the only validator. Then no other node can have blocks or snapshots of the chain. */
export function isOnlyValidator({ validators }: Pick<State, 'validators'>, key: PublicKey): boolean {
  const [only, second] = validators.validators
  return second === undefined && only !== undefined && equalBytes(only.address, addressOf(key))
}

/**
 * Returns true if consensus must wait for blocks of other validators. Some nodes never wait, because the chain cannot
 * be ahead of them: a node that is the only validator, and a node that has at least a third of the power. As in the
 * reference, this third is rounded down. So if the total power is small, the chain may still be ahead of such a node.
 */
export function mustWaitForBlocks({ validators }: Pick<State, 'validators'>, key: PublicKey): boolean {
  if (isOnlyValidator({ validators }, key)) return false
  const ownValidator = validatorByAddress(validators, addressOf(key))?.validator
  return ownValidator === undefined || ownValidator.votingPower < totalVotingPower(validators) / 3n
}

/**
 * Returns true if the next proposal needs vote extensions that this node does not have. This is so after a state sync,
 * because a snapshot contains no vote extensions. The extensions are no longer missing when this node has received a
 * block from a peer, because the peer sends the block with its vote extensions.
 */
export function lacksExtensions(state: State, blockStore: Pick<BlockStore, 'loadExtendedCommit'>): boolean {
  const { lastBlockHeight } = state
  if (lastBlockHeight === 0 || !extensionsEnabled(state, lastBlockHeight)) return false
  return blockStore.loadExtendedCommit(lastBlockHeight) === undefined
}
