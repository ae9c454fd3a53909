import { messageOf } from '@org/runtime'
import { CodedError } from '@org/runtime/errors'
import {
  type BlockId,
  type Commit,
  equalBlockIds,
  hashValidators,
  isBlockIdComplete,
  makeBlockParts,
  type PartSet,
  type ValidatorSet,
  verifyCommit,
  verifyExtendedCommit,
} from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { SignatureChecker } from '../signatures/index.ts'
import { BLOCKSYNC_FAULTS } from './faults.ts'
import type { PooledBlock } from './pool/index.ts'

/**
 * A block whose commit is valid, and whose extended commit is valid if it has one. The contents of the block are not
 * checked yet.
 */
export interface VerifiedBlock {
  readonly blockId: BlockId
  readonly parts: PartSet
}

export interface Verification {
  readonly first: PooledBlock
  readonly second: PooledBlock
  readonly validators: ValidatorSet
  /**
   * Resolves with the verified block. If the block, its extended commit, or the last commit in the next block is bad,
   * resolves with the error. The error has the code `BLOCKSYNC_BAD_LAST_COMMIT` if the next block is bad.
   */
  readonly outcome: Promise<VerifiedBlock | Error>
}

export interface VerificationContext extends Pick<SignatureChecker, 'findInvalid'> {
  readonly chainId: string
}

type Claim = Omit<Parameters<typeof verifyCommit>[0], 'commit'>

/**
 * Verifies the first block by the last commit of the second block. If this fails, finds out which block is bad. If the
 * commit proves another block of this height, the first block is bad. Otherwise the second block is bad: its last
 * commit proves no block. Without this distinction, a liar could make this node close the connection to an honest peer
 * with each bad block.
 */
async function verifyBySuccessor(
  claim: Claim,
  commit: Commit,
  findInvalid: VerificationContext['findInvalid'],
): Promise<void> {
  const { blockId } = commit
  try {
    await verifyCommit({ ...claim, commit }, findInvalid)
  } catch (cause) {
    const isOfOtherBlock =
      isBlockIdComplete(blockId) &&
      !equalBlockIds(blockId, claim.blockId) &&
      (await verifyCommit({ ...claim, blockId, commit }, findInvalid).then(
        () => true,
        () => false,
      ))
    if (isOfOtherBlock) throw cause
    throw new CodedError(BLOCKSYNC_FAULTS.lastCommit, messageOf(cause), { cause })
  }
}

async function verify(
  { first, second, validators }: Omit<Verification, 'outcome'>,
  { chainId, findInvalid }: VerificationContext,
): Promise<VerifiedBlock> {
  const { block, extCommit } = first
  const { blockId, parts } = makeBlockParts(block)
  const { height } = block.header
  const claim = { chainId, validators, blockId, height }
  await verifyBySuccessor(claim, second.block.lastCommit as Commit, findInvalid)
  if (extCommit !== undefined) await verifyExtendedCommit({ ...claim, commit: extCommit }, findInvalid)
  return { blockId, parts }
}

/** Begins to verify a block by the commit in the next block. The promise `outcome` never rejects. */
export function beginVerification(given: Omit<Verification, 'outcome'>, context: VerificationContext): Verification {
  const outcome = verify(given, context).catch((error: unknown) => error as Error)
  return { ...given, outcome }
}

/** Returns true if a verification that began in advance is for these blocks and these validators. */
export function isOf(
  { first, second, validators }: Verification,
  wanted: { readonly first: PooledBlock; readonly second: PooledBlock; readonly validators: ValidatorSet },
): boolean {
  if (first !== wanted.first || second !== wanted.second) return false
  return validators === wanted.validators || equalBytes(hashValidators(validators), hashValidators(wanted.validators))
}
