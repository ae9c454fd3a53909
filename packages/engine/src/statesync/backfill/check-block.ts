import { messageOf } from '@org/runtime'
import {
  type BlockId,
  type Commit,
  equalBlockIds,
  type Header,
  hashCommit,
  hashHeader,
  hashValidators,
  type ValidatorSet,
  validateValidatorSetBasic,
  verifyCommitLightTrusting,
} from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import type { ProvenBlock } from '../../execution/index.ts'
import type { SignatureChecker } from '../../signatures/index.ts'
import type { OldHeader } from '../../store/index.ts'
import { BACKFILL_ERRORS, BackfillError, type BackfillErrorCode } from './errors.ts'

/** Data from the header of a verified block, by which `checkBlock` verifies the block at the next lower height. */
export interface BlockAbove {
  /** The height of the block to verify, which is one below the height of the verified header. */
  readonly below: number
  /** The id of the block to verify. */
  readonly lastBlockId: BlockId
  /** The hash of the commit for the block to verify; `undefined` if this commit need not be verified and stored. */
  readonly lastCommitHash: Uint8Array | undefined
}

/** A verified header that is ready to be stored, with the validators of its height. */
export interface CheckedBlock extends OldHeader {
  readonly validators: ValidatorSet
}

export interface CheckContext extends Pick<SignatureChecker, 'findInvalid'> {
  readonly chainId: string
}

/** Returns the data by which the block below this header is verified. */
export const blockAbove = ({ height, lastBlockId, lastCommitHash }: Header): BlockAbove => ({
  below: height - 1,
  lastBlockId,
  lastCommitHash,
})

/** If validators with more than this part of the power have signed, at least one of these validators is honest. */
const HONEST_PART = { numerator: 1n, denominator: 3n }

/** A fault in the answer of a server: its code, and the height of the request. */
interface Fault {
  readonly code: BackfillErrorCode
  readonly height: number
}

function refused({ code, height }: Fault, problem: string, cause?: unknown): BackfillError {
  return new BackfillError(code, `the answer for height ${height} is wrong: ${problem}`, { data: { height }, cause })
}

function checkHash(fault: Fault, { what, got, want }: { what: string; got: Uint8Array; want: Uint8Array }): void {
  if (got.length > 0 && equalBytes(got, want)) return
  throw refused(fault, `${what} has the hash ${bytesToHex(got)}, and not ${bytesToHex(want)}`)
}

/**
 * Checks a commit with the data of the next block's header. The commit hash in this header covers the signatures, but
 * not the round of the commit. Each signature covers the round, so the signatures of some validators are verified too.
 * The round must be right: with a wrong round, evidence of an attack on light clients would name wrong validators.
 */
async function checkCommit(
  commit: Commit,
  validators: ValidatorSet,
  { above, hash, context }: { readonly above: BlockAbove; readonly hash: Uint8Array; readonly context: CheckContext },
): Promise<void> {
  const { below: height, lastBlockId } = above
  const fault = { code: BACKFILL_ERRORS.commit, height }
  if (commit.height !== height) throw refused(fault, `the commit has height ${commit.height}`)
  if (!equalBlockIds(commit.blockId, lastBlockId)) throw refused(fault, 'the commit is for another block')
  checkHash(fault, { what: 'the commit', got: hashCommit(commit), want: hash })
  const claim = { chainId: context.chainId, validators, commit, trustLevel: HONEST_PART }
  await verifyCommitLightTrusting(claim, context.findInvalid).catch((cause: unknown) => {
    throw refused(fault, `the commit has another round (${messageOf(cause)})`, cause)
  })
}

/**
 * Verifies a block of an untrusted server. The header of the next block, which was verified before, contains the id of
 * this block and the hash of the commit. The header of this block contains the hash of its validators. Rejects with a
 * {@link BackfillError}.
 */
export async function checkBlock(
  { header, commit, validators }: ProvenBlock,
  above: BlockAbove,
  context: CheckContext,
): Promise<CheckedBlock> {
  const { below: height, lastBlockId: blockId, lastCommitHash } = above
  const headerFault = { code: BACKFILL_ERRORS.header, height }
  if (header.height !== height) throw refused(headerFault, `the header has height ${header.height}`)
  checkHash(headerFault, { what: 'the header', got: hashHeader(header), want: blockId.hash })
  const set = { what: 'the validator set', got: hashValidators(validators), want: header.validatorsHash }
  const setFault = { code: BACKFILL_ERRORS.validators, height }
  checkHash(setFault, set)
  // The hash of a validator set covers the keys and the powers, but not the addresses. So the addresses are checked
  // separately.
  try {
    validateValidatorSetBasic(validators)
  } catch (cause) {
    throw refused(setFault, `the validator set is invalid (${messageOf(cause)})`, cause)
  }
  if (lastCommitHash === undefined) return { header, blockId, commit: undefined, validators }
  await checkCommit(commit, validators, { above, hash: lastCommitHash, context })
  return { header, blockId, commit, validators }
}
