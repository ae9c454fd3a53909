import {
  type BlockId,
  BlockIdFlag,
  type Commit,
  type CommitSig,
  SignedMsgType,
  type Validator,
  type Vote,
  voteSignBytes,
  ZERO_BLOCK_ID,
} from '@org/types'
import { addressOf, type PrivateKey, publicKeyOf, sign } from '@org/types/crypto'

/** The last commit in the first block of a chain. It has no signatures, because there is no earlier block. */
export const NO_COMMIT: Commit = { height: 0, round: 0, blockId: ZERO_BLOCK_ID, signatures: [] }

/**
 * Returns a function that finds the key of a validator. The function throws if none of the keys is the key of the
 * validator.
 */
export function keyFinder(keys: readonly PrivateKey[]): (validator: Pick<Validator, 'address'>) => PrivateKey {
  const byAddress = new Map(keys.map((key) => [addressOf(publicKeyOf(key)).join(), key]))
  return ({ address }) => {
    const key = byAddress.get(address.join())
    if (key === undefined) throw new Error('no key of this validator')
    return key
  }
}

export function signVote(key: PrivateKey, vote: Omit<Vote, 'signature'>, chainId: string): Vote {
  const unsigned: Vote = { ...vote, signature: new Uint8Array(0) }
  return { ...unsigned, signature: sign(key, voteSignBytes(chainId, unsigned)) }
}

export interface CommitParts {
  readonly chainId: string
  readonly height: number
  readonly blockId: BlockId
  readonly validators: readonly Validator[]
  /** The time of the first precommit, in nanoseconds since 1970. */
  readonly time: bigint
  readonly round?: number
}

/**
 * Makes a commit with the precommits of all validators. The time of each precommit is one millisecond after the time of
 * the previous precommit.
 */
export function makeCommit(keys: readonly PrivateKey[], parts: CommitParts): Commit {
  const { chainId, height, blockId, validators, time, round = 0 } = parts
  const keyOf = keyFinder(keys)
  const signatures = validators.map((validator, validatorIndex): CommitSig => {
    const vote = {
      type: SignedMsgType.precommit,
      height,
      round,
      blockId,
      timestamp: time + BigInt(validatorIndex) * 1_000_000n,
      validatorAddress: validator.address,
      validatorIndex,
      extension: new Uint8Array(0),
      extensionSignature: new Uint8Array(0),
    }
    const { signature, timestamp, validatorAddress } = signVote(keyOf(validator), vote, chainId)
    return { blockIdFlag: BlockIdFlag.commit, validatorAddress, timestamp, signature }
  })
  return { height, round, blockId, signatures }
}
