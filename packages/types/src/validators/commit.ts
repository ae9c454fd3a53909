import { equalBytes } from '../bytes/index.ts'
import type { ExtendedCommit } from '../commit/commit.ts'
import { extendedCommitToCommit, extendedCommitVote } from '../commit/commit-votes.ts'
import { ensureExtensions } from '../commit/validate-commit.ts'
import { findInvalidSignature, findInvalidSignatureSync, type SignedItem } from '../crypto/verify.ts'
import { voteExtensionSignBytes } from '../vote/sign-bytes.ts'
import { isPrecommitForBlock } from '../vote/vote.ts'
import {
  type CommitClaim,
  commitError,
  conclude,
  createSignBytes,
  type Entry,
  type Plan,
  planFull,
  planLight,
  planTrusting,
  type TrustingClaim,
} from './commit-plan.ts'
import { VALIDATOR_ERRORS, ValidatorError } from './errors.ts'
import type { Validator } from './wire.ts'

/** Returns the index of the first signature that does not verify, or -1. */
export type FindInvalid = (items: readonly SignedItem[]) => Promise<number>
/**
 * Does the same as {@link FindInvalid}, but without a promise: verifies on the calling thread, or uses the results of
 * earlier verifications.
 */
export type FindInvalidSync = (items: readonly SignedItem[]) => number

async function run(plan: Plan, find: FindInvalid): Promise<void> {
  conclude(plan, await find(plan.entries))
}

/**
 * Throws {@link ValidatorError} unless more than two thirds of the power signed for the block, and every signature
 * verifies. The signatures of votes for nil must verify, too. The thread pool receives all signatures at once.
 */
export async function verifyCommit(claim: CommitClaim, find: FindInvalid = findInvalidSignature): Promise<void> {
  return run(planFull(claim), find)
}

/** Does the same as {@link verifyCommit}, but on the calling thread. */
export function verifyCommitSync(claim: CommitClaim, find: FindInvalidSync = findInvalidSignatureSync): void {
  const plan = planFull(claim)
  conclude(plan, find(plan.entries))
}

/**
 * Throws {@link ValidatorError} unless more than two thirds of the power signed for the block. Stops when the verified
 * entries have this power.
 */
export async function verifyCommitLight(claim: CommitClaim, find: FindInvalid = findInvalidSignature): Promise<void> {
  return run(planLight(claim, false), find)
}

/** Does the same as {@link verifyCommitLight}, but on the calling thread. */
export function verifyCommitLightSync(claim: CommitClaim, find: FindInvalidSync = findInvalidSignatureSync): void {
  const plan = planLight(claim, false)
  conclude(plan, find(plan.entries))
}

/** Does the same as {@link verifyCommitLight}, but never stops early: every signature for the block must verify. */
export async function verifyCommitLightAllSignatures(
  claim: CommitClaim,
  find: FindInvalid = findInvalidSignature,
): Promise<void> {
  return run(planLight(claim, true), find)
}

/**
 * Verifies that validators of the set `validators` signed for the block with enough power: with more than the share
 * `trustLevel` of the total power of `validators`. The commit may come from a different validator set. Throws {@link
 * ValidatorError} if the power is too low, or if a verified signature is invalid. Stops when the verified entries have
 * enough power.
 */
export async function verifyCommitLightTrusting(
  claim: TrustingClaim,
  find: FindInvalid = findInvalidSignature,
): Promise<void> {
  return run(planTrusting(claim, false), find)
}

/**
 * Does the same as {@link verifyCommitLightTrusting}, but never stops early: every signature of the set's validators
 * must verify.
 */
export async function verifyCommitLightTrustingAllSignatures(
  claim: TrustingClaim,
  find: FindInvalid = findInvalidSignature,
): Promise<void> {
  return run(planTrusting(claim, true), find)
}

/**
 * The faults that {@link verifyCommitLightTrustingAndOwn} found in one commit. If both members are `undefined`, the
 * commit is valid.
 */
export interface CommitFaults {
  /**
   * The error if too few validators of the trusted set signed, or if the commit's entry of a validator in this set is
   * invalid.
   */
  readonly trusting: ValidatorError | undefined
  /**
   * The error if too few validators of the commit's own set signed, or if the commit's entry of a validator in this set
   * is invalid. If the member `trusting` has an error, `own` is always `undefined`.
   */
  readonly own: ValidatorError | undefined
}

const isSameKey = (a: Entry, b: Entry): boolean =>
  a.publicKey.type === b.publicKey.type && equalBytes(a.publicKey.bytes, b.publicKey.bytes)

function planOrFault(make: () => Plan): Plan | ValidatorError {
  try {
    return make()
  } catch (error) {
    if (error instanceof ValidatorError) return error
    throw error
  }
}

function faultOf(plan: Plan, invalid: number): ValidatorError | undefined {
  return invalid >= 0 ? plan.failure(plan.entries[invalid] as Entry) : plan.shortfall
}

/**
 * Verifies a commit as {@link verifyCommitLightTrusting} and then {@link verifyCommitLight} do, and returns the faults.
 * Each signature is verified once, and the signatures that both verifications need are verified together.
 */
export async function verifyCommitLightTrustingAndOwn(
  trusting: Omit<TrustingClaim, 'commit'>,
  own: CommitClaim,
  find: FindInvalid = findInvalidSignature,
): Promise<CommitFaults> {
  const { chainId, commit } = own
  const signBytes = createSignBytes(chainId, commit)
  const shared = trusting.chainId === chainId ? signBytes : undefined
  const first = planOrFault(() => planTrusting({ ...trusting, commit }, false, shared))
  if (first instanceof ValidatorError) return { trusting: first, own: undefined }
  const second = planOrFault(() => planLight(own, false, signBytes))
  const known = new Map(first.entries.map((entry) => [entry.index, entry]))
  const isKnown = (entry: Entry): boolean => {
    const other = known.get(entry.index)
    return other !== undefined && isSameKey(entry, other)
  }
  // The first plan is for the trusted validator set, and the second plan is for the commit's own validator set. `rest`
  // has the signatures that only the second plan needs. These signatures are not verified if the first plan has a fault
  // (`shortfall`), or if the second plan could not be made because of a fault in the commit.
  const rest =
    second instanceof ValidatorError || first.shortfall !== undefined
      ? []
      : second.entries.filter((entry) => !isKnown(entry))
  const invalid = await find([...first.entries, ...rest])
  const { length } = first.entries
  const fault = faultOf(first, invalid < length ? invalid : -1)
  if (fault !== undefined || second instanceof ValidatorError)
    return { trusting: fault, own: fault === undefined ? (second as ValidatorError) : undefined }
  return {
    trusting: undefined,
    own: faultOf(second, invalid < 0 ? -1 : second.entries.indexOf(rest[invalid - length] as Entry)),
  }
}

/** A {@link CommitClaim} about a commit with vote extensions. */
export type ExtendedCommitClaim = Omit<CommitClaim, 'commit'> & { readonly commit: ExtendedCommit }

/**
 * Does the same as {@link verifyCommit} for an extended commit. Every vote for the block must carry a valid extension
 * signature.
 */
export async function verifyExtendedCommit(
  claim: ExtendedCommitClaim,
  find: FindInvalid = findInvalidSignature,
): Promise<void> {
  const { chainId, validators, commit } = claim
  ensureExtensions(commit, true)
  await verifyCommit({ ...claim, commit: extendedCommitToCommit(commit) }, find)
  const items = commit.extendedSignatures.flatMap((_, index) => {
    const vote = extendedCommitVote(commit, index)
    if (!isPrecommitForBlock(vote)) return []
    const publicKey = (validators.validators[index] as Validator).pubKey
    return [{ index, publicKey, message: voteExtensionSignBytes(chainId, vote), signature: vote.extensionSignature }]
  })
  const invalid = items[await find(items)]
  if (invalid !== undefined) {
    const message = `invalid vote extension signature (val #${invalid.index}): invalid signature`
    throw commitError(VALIDATOR_ERRORS.commitSignature, message)
  }
}
