import type { ChainStart, CommittedChain } from '@org/engine'
import {
  duplicateVoteEvidence,
  type Evidence,
  makeDuplicateVoteEvidence,
  SignedMsgType,
  Vote,
  validatorByAddress,
  voteSignBytes,
} from '@org/types'
import { addressOf, type PrivateKey, publicKeyOf, sha256, sign } from '@org/types/crypto'

/**
 * Returns the evidence that a validator signed two precommits at a stored height: one for the block, and one for a
 * block that does not exist. The key of the validator signs both precommits. Returns `undefined` if the key was not a
 * validator at this height.
 */
export function doubleSignAt(
  { blockStore, stateStore, genesis }: ChainStart & CommittedChain,
  { key, height }: { readonly key: PrivateKey; readonly height: number },
): Evidence | undefined {
  const meta = blockStore.loadBlockMeta(height)
  const validators = stateStore.loadValidators(height)
  const validatorAddress = addressOf(publicKeyOf(key))
  const found = validatorByAddress(validators, validatorAddress)
  if (meta === undefined || found === undefined) return undefined
  const { blockId, header } = meta
  const precommit = (hash: Uint8Array): Vote => {
    const vote = Vote.create({
      type: SignedMsgType.precommit,
      height,
      round: 0,
      blockId: { ...blockId, hash },
      timestamp: header.time,
      validatorAddress,
      validatorIndex: found.index,
    })
    return { ...vote, signature: sign(key, voteSignBytes(genesis.chainId, vote)) }
  }
  const [one, other] = [precommit(blockId.hash), precommit(sha256(blockId.hash))]
  return duplicateVoteEvidence(makeDuplicateVoteEvidence(one, other, { blockTime: header.time, validators }))
}
