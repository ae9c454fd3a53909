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
import { addressOf, publicKeyOf, sha256, sign } from '@org/types/crypto'
import type { SimNode } from '../node/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'

/**
 * Returns the evidence that a validator signed two precommits at the last height: one for the block, and one for a
 * block that does not exist. The key of the validator signs both precommits.
 */
export function makeDoubleSign(engine: ChainStart & CommittedChain, { options, name }: SimNode): Evidence {
  const { blockStore, stateStore, genesis } = engine
  const height = blockStore.height()
  const meta = blockStore.loadBlockMeta(height)
  const validators = stateStore.loadValidators(height)
  const validatorAddress = addressOf(publicKeyOf(options.key))
  const found = validatorByAddress(validators, validatorAddress)
  if (meta === undefined || found === undefined) {
    const message = `${name} was not a validator at height ${height}, so it cannot sign two votes at this height`
    throw new DevnetError(DEVNET_ERRORS.validatorState, message)
  }
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
    return { ...vote, signature: sign(options.key, voteSignBytes(genesis.chainId, vote)) }
  }
  const [one, other] = [precommit(blockId.hash), precommit(sha256(blockId.hash))]
  return duplicateVoteEvidence(makeDuplicateVoteEvidence(one, other, { blockTime: header.time, validators }))
}
