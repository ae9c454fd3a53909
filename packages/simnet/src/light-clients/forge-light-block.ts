import type { LightBlock } from '@org/light'
import {
  ABSENT_COMMIT_SIG,
  BlockIdFlag,
  type CommitSig,
  createValidatorSet,
  hashHeader,
  hashValidators,
  SignedMsgType,
  type ValidatorSet,
  voteSignBytes,
} from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { addressOf, type PrivateKey, publicKeyOf, sign } from '@org/types/crypto'

/**
 * The attacks on light clients that the reference names. `lunatic`: the forged header has an app hash that no execution
 * gives, and names only the liars as validators. `equivocation`: the forged header has other data, and the liars sign
 * it in the round of the real block. `amnesia`: the forged header has other data, and the liars sign it in a later
 * round.
 */
export const LIGHT_ATTACKS = ['lunatic', 'equivocation', 'amnesia'] as const
/** A way in which a node attacks a light client. */
export type LightAttack = (typeof LIGHT_ATTACKS)[number]

export interface Forgery {
  readonly attack: LightAttack
  /** The keys of the validators that sign the forged header. */
  readonly keys: readonly PrivateKey[]
  readonly chainId: string
}

const addressText = (key: PrivateKey): string => bytesToHex(addressOf(publicKeyOf(key)))

function forgedHeader({ header, validators }: LightBlock, { attack, keys }: Forgery) {
  if (attack !== 'lunatic')
    return { header: { ...header, dataHash: header.dataHash.map((byte) => byte ^ 1) }, validators }
  const liars = new Set(keys.map(addressText))
  const own = createValidatorSet(validators.validators.filter(({ address }) => liars.has(bytesToHex(address))))
  const hash = hashValidators(own)
  const appHash = new Uint8Array(32).fill(0x66)
  return { header: { ...header, appHash, validatorsHash: hash, nextValidatorsHash: hash }, validators: own }
}

function signaturesOf(
  set: ValidatorSet,
  { keys, chainId }: Forgery,
  commit: Pick<LightBlock['commit'], 'height' | 'round' | 'blockId'> & { readonly timestamp: bigint },
): readonly CommitSig[] {
  const byAddress = new Map(keys.map((key) => [addressText(key), key] as const))
  return set.validators.map(({ address }, validatorIndex) => {
    const key = byAddress.get(bytesToHex(address))
    if (key === undefined) return ABSENT_COMMIT_SIG
    const vote = { ...commit, type: SignedMsgType.precommit, validatorAddress: address, validatorIndex }
    const signature = sign(key, voteSignBytes(chainId, vote))
    return { blockIdFlag: BlockIdFlag.commit, validatorAddress: address, timestamp: commit.timestamp, signature }
  })
}

/** Makes a forged light block of the same height as `block`. The keys of `forgery` sign the forged light block. */
export function forgeLightBlock(block: LightBlock, forgery: Forgery): LightBlock {
  const { header, validators } = forgedHeader(block, forgery)
  const round = block.commit.round + (forgery.attack === 'amnesia' ? 1 : 0)
  const blockId = { ...block.commit.blockId, hash: hashHeader(header) }
  const commit = { height: header.height, round, blockId }
  const signatures = signaturesOf(validators, forgery, { ...commit, timestamp: header.time })
  return { header, validators, commit: { ...block.commit, ...commit, signatures: [...signatures] } }
}
