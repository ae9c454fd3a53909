import type { Engine } from '@org/engine'
import { messageOf } from '@org/runtime'
import {
  extendedCommitVote,
  hashConsensusParams,
  hashValidators,
  isPrecommitForBlock,
  type ValidatorSet,
  voteExtensionSignBytes,
} from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { commitFault, type Verify } from './block-rules.ts'

export interface StoredChainModules {
  readonly chainId: string
  readonly verify: Verify
}

type Stores = Pick<Engine, 'blockStore' | 'stateStore'>

/**
 * Returns what is wrong with a node's stored data of a height; `undefined` if the data is consistent. The block store
 * must have a block of this height.
 */
export function storedFault(
  { blockStore, stateStore }: Stores,
  height: number,
  { chainId, verify }: StoredChainModules,
): string | undefined {
  const meta = blockStore.loadBlockMeta(height)
  if (meta === undefined) return 'the block is missing'
  const { header, blockId } = meta
  try {
    if (blockStore.loadBlock(height) === undefined) return 'a part of the block is missing'
    if (blockStore.loadBlockByHash(blockId.hash) === undefined) return 'the block is not found by its hash'
    const validators = stateStore.loadValidators(height)
    if (!equalBytes(hashValidators(validators), header.validatorsHash))
      return "the stored validators are not those of the block's header"
    const next = stateStore.loadValidators(height + 1)
    if (!equalBytes(hashValidators(next), header.nextValidatorsHash))
      return "the stored validators of the next height are not those of the block's header"
    const params = stateStore.loadConsensusParams(height)
    if (!equalBytes(hashConsensusParams(params), header.consensusHash))
      return "the stored consensus parameters are not those of the block's header"
    const seen = blockStore.loadSeenCommit(height)
    const commit = height < blockStore.height() ? blockStore.loadBlockCommit(height) : seen
    if (commit === undefined) return 'the commit is missing'
    for (const each of seen === undefined ? [commit] : [commit, seen]) {
      const fault = commitFault({ chainId, validators, blockId, height, commit: each }, verify)
      if (fault !== undefined) return `a commit is invalid: ${fault}`
    }
    return extensionsFault({ blockStore, stateStore }, height, { chainId, verify, validators })
  } catch (error) {
    return `the data cannot be read: ${messageOf(error)}`
  }
}

function extensionsFault(
  { blockStore }: Stores,
  height: number,
  { chainId, verify, validators }: StoredChainModules & { readonly validators: ValidatorSet },
): string | undefined {
  const commit = blockStore.loadExtendedCommit(height)
  if (commit === undefined) return undefined
  for (const index of commit.extendedSignatures.keys()) {
    const vote = extendedCommitVote(commit, index)
    const publicKey = validators.validators[index]?.pubKey
    if (!isPrecommitForBlock(vote)) continue
    const message = voteExtensionSignBytes(chainId, vote)
    if (publicKey === undefined || !verify({ publicKey, message, signature: vote.extensionSignature })) {
      return `the signature of the vote extension of validator ${index} is invalid`
    }
  }
  return undefined
}
