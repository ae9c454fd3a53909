import {
  type BlockId,
  type Commit,
  hashValidators,
  makeBlockParts,
  type PartSet,
  type ValidatorSet,
  verifyCommit,
  verifyExtendedCommit,
} from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { SignatureChecker } from '../signatures/index.ts'
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
   * resolves with the error.
   */
  readonly outcome: Promise<VerifiedBlock | Error>
}

export interface VerificationContext extends Pick<SignatureChecker, 'findInvalid'> {
  readonly chainId: string
}

async function verify(
  { first, second, validators }: Omit<Verification, 'outcome'>,
  { chainId, findInvalid }: VerificationContext,
): Promise<VerifiedBlock> {
  const { block, extCommit } = first
  const { blockId, parts } = makeBlockParts(block)
  const { height } = block.header
  const claim = { chainId, validators, blockId, height }
  await verifyCommit({ ...claim, commit: second.block.lastCommit as Commit }, findInvalid)
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
