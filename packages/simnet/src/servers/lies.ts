import type { LightBlock } from '@org/light'
import {
  BlockIdFlag,
  type CommitSig,
  type ConsensusParams,
  hashHeader,
  hashValidators,
  type ValidatorSet,
} from '@org/types'
import { ZERO_TIME } from '@org/types/time'

/** The lies that a seed can choose for a server of state sync. */
export const SERVER_LIES = [
  /** The header has another app hash. */
  'appHash',
  /** The header names validators with other powers. The commit has no signatures for this header. */
  'powers',
  /** The validators have wrong proposer priorities. The header does not cover the priorities. */
  'priorities',
  /** The server sends other values of the parameters that the header does not cover. */
  'params',
  /** The commit has invalid signatures. */
  'commit',
  /** The server answers no request. */
  'silence',
] as const
/**
 * A lie of a server of state sync. The lie `lowPriorities` and the lies about old blocks are not in the list
 * {@link SERVER_LIES}. A longer list would change the random choices of the existing seeds.
 *
 * `lowPriorities` is the lie `priorities`, but only about heights that are at least two below the trusted height. The
 * height directly below the trusted height is left out, because the light client may compare the block of this height
 * with the blocks of other servers.
 */
export type ServerLie = (typeof SERVER_LIES)[number] | 'lowPriorities' | OldBlockLie

/** Lies that a server sends only about blocks below a snapshot, when the node has restored the snapshot. */
const OLD_BLOCK_LIES = [
  /** The commit has another round. The hash of a commit does not cover its round. */
  'oldRound',
  /** A signature is missing in the commit. The other signatures still have enough power. */
  'oldSignatures',
] as const
type OldBlockLie = (typeof OLD_BLOCK_LIES)[number]

/** Returns true if the lie is only about blocks below a snapshot. */
export const isAboutOldBlocks = (lie: ServerLie | undefined): boolean => OLD_BLOCK_LIES.some((old) => old === lie)

function withHeader({ header, commit, validators }: LightBlock, change: Partial<LightBlock['header']>): LightBlock {
  const forged = { ...header, ...change }
  return {
    header: forged,
    commit: { ...commit, blockId: { ...commit.blockId, hash: hashHeader(forged) } },
    validators,
  }
}

function withOtherPowers(block: LightBlock): LightBlock {
  const validators = change(block.validators, ({ votingPower, ...rest }) => ({
    ...rest,
    votingPower: votingPower + 1n,
  }))
  return withHeader({ ...block, validators }, { validatorsHash: hashValidators(validators) })
}

type Validator = ValidatorSet['validators'][number]

function change(set: ValidatorSet, each: (validator: Validator, index: number) => Validator): ValidatorSet {
  const validators = set.validators.map(each)
  return { ...set, validators, ...(set.proposer && { proposer: validators[0] }) }
}

function withOtherPriorities(block: LightBlock): LightBlock {
  const validators = change(block.validators, (validator, index) => ({
    ...validator,
    proposerPriority: validator.proposerPriority + BigInt(index),
  }))
  return { ...block, validators }
}

/** The commit entry of an absent validator: a validator without a signature in the commit. */
const ABSENT: CommitSig = {
  blockIdFlag: BlockIdFlag.absent,
  validatorAddress: new Uint8Array(0),
  timestamp: ZERO_TIME,
  signature: new Uint8Array(0),
}

/**
 * The options of a server for its lies. `lie` is `undefined` if the server is honest. `trustHeight` is the height of
 * the header that the operator trusts.
 */
export interface LieOptions {
  readonly lie: ServerLie | undefined
  readonly trustHeight: number
}

/** Returns the block as a server with this lie sends it. */
export function lieAbout(block: LightBlock, { lie, trustHeight }: LieOptions): LightBlock {
  switch (lie) {
    case 'appHash':
      return withHeader(block, { appHash: block.header.appHash.map((byte) => byte ^ 1) })
    case 'powers':
      return withOtherPowers(block)
    case 'priorities':
      return withOtherPriorities(block)
    case 'lowPriorities':
      return block.header.height < trustHeight - 1 ? withOtherPriorities(block) : block
    case 'commit': {
      const signatures = block.commit.signatures.map((each) => ({
        ...each,
        signature: each.signature.map((byte, index) => (index === 0 ? byte ^ 1 : byte)),
      }))
      return { ...block, commit: { ...block.commit, signatures } }
    }
    case 'oldRound':
      return { ...block, commit: { ...block.commit, round: block.commit.round + 1 } }
    case 'oldSignatures': {
      const signatures = block.commit.signatures.map((each, index) => (index === 0 ? ABSENT : each))
      return { ...block, commit: { ...block.commit, signatures } }
    }
    default:
      return block
  }
}

/**
 * Returns the consensus parameters that a server sends. A server with the lie `params` changes the maximum age of
 * evidence. The changed parameters still match the consensus hash in the header, because this hash covers only the
 * limits of a block.
 */
export function lieAboutParams(params: ConsensusParams, lie: ServerLie | undefined): ConsensusParams {
  if (lie !== 'params') return params
  return { ...params, evidence: { ...params.evidence, maxAgeNumBlocks: params.evidence.maxAgeNumBlocks + 1n } }
}
