import { equalBlockIds, formatBlockId } from '../block/block-id.ts'
import type { Commit, CommitSig, ExtendedCommit } from '../block/commit.ts'
import { commitVote, extendedCommitToCommit, extendedCommitVote, formatCommitSig } from '../block/commit-votes.ts'
import { type BlockId, BlockIdFlag } from '../block/id.ts'
import { ensureExtensions, validateCommitSigBasic } from '../block/validate-commit.ts'
import { bytesToHex, equalBytes, utf8ToBytes } from '../bytes/index.ts'
import { findInvalidSignature, findInvalidSignatureSync, type SignedItem } from '../crypto/verify.ts'
import { voteExtensionSignBytes, voteSignBytes } from '../vote/sign-bytes.ts'
import { isPrecommitForBlock } from '../vote/vote.ts'
import { VALIDATOR_ERRORS, ValidatorError, type ValidatorErrorCode } from './errors.ts'
import { MAX_INT64 } from './int64.ts'
import { proposerOf, totalVotingPower, validatorByAddress } from './set.ts'
import { formatValidator } from './validator.ts'
import type { Validator, ValidatorSet } from './wire.ts'

/** Finds the first signature that does not verify: its index, or -1. */
export type FindInvalid = (items: readonly SignedItem[]) => Promise<number>
/** {@link FindInvalid} without waiting: on the calling thread, or from memory. */
export type FindInvalidSync = (items: readonly SignedItem[]) => number

export interface CommitClaim {
  readonly chainId: string
  readonly validators: ValidatorSet
  readonly blockId: BlockId
  readonly height: number
  readonly commit: Commit
}

export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

export interface TrustingClaim {
  readonly chainId: string
  readonly validators: ValidatorSet
  readonly commit: Commit
  /** The part of the set's power that must have signed. */
  readonly trustLevel: Fraction
}

/** How one way of verifying looks at a commit. */
interface Rules {
  readonly needed: bigint
  readonly ignore: (entry: CommitSig) => boolean
  readonly count: (entry: CommitSig) => boolean
  /** All entries, or only as many as reach the power needed. */
  readonly all: boolean
  /** The set is the one that signed: entry and validator stand at the same index. */
  readonly byIndex: boolean
}

interface Entry extends SignedItem {
  readonly index: number
}

/** What is left to do: verify the entries, then throw `failure` of the first bad one, then throw `shortfall`. */
interface Plan {
  readonly entries: readonly Entry[]
  readonly failure: (entry: Entry) => ValidatorError
  /** Found while reading the entries; it comes after the signatures of the entries before it. */
  readonly shortfall: ValidatorError | undefined
}

const failure = (code: ValidatorErrorCode, message: string, cause?: unknown): ValidatorError =>
  new ValidatorError(code, message, cause === undefined ? {} : { cause })

function checkClaim({ validators, commit, height, blockId }: CommitClaim): void {
  const [want, got] = [validators.validators.length, commit.signatures.length]
  if (want !== got) {
    throw failure(VALIDATOR_ERRORS.commitSize, `Invalid commit -- wrong set size: ${want} vs ${got}`)
  }
  if (height !== commit.height) {
    const message = `Invalid commit -- wrong height: ${height} vs ${commit.height}`
    throw failure(VALIDATOR_ERRORS.commitHeight, message)
  }
  if (!equalBlockIds(blockId, commit.blockId)) {
    const [wanted, found] = [formatBlockId(blockId), formatBlockId(commit.blockId)]
    const message = `invalid commit -- wrong block ID: want ${wanted}, got ${found}`
    throw failure(VALIDATOR_ERRORS.commitBlockId, message)
  }
}

/** The reference's condition for verifying in one batch, which shows in the order and text of errors. */
function isBatch(set: ValidatorSet, commit: Commit): boolean {
  if (commit.signatures.length < 2 || proposerOf(set)?.pubKey.type !== 'ed25519') return false
  return set.validators.every(({ pubKey }) => pubKey.type === 'ed25519')
}

function notEnoughPower(got: bigint, needed: bigint): ValidatorError {
  const message = `invalid commit -- insufficient voting power: got ${got}, needed more than ${needed}`
  const data = { got: got.toString(), needed: needed.toString() }
  return new ValidatorError(VALIDATOR_ERRORS.commitPower, message, { data })
}

type Finder = (entry: CommitSig, index: number) => Validator | undefined

/** The validator of an entry; `undefined` if it is not in the set. Throws on a wrong address or a second vote. */
function createFinder(set: ValidatorSet, rules: Rules): Finder {
  if (rules.byIndex) {
    return (entry, index) => {
      const validator = set.validators[index] as Validator
      if (equalBytes(validator.address, entry.validatorAddress)) return validator
      const [want, got] = [bytesToHex(validator.address), bytesToHex(entry.validatorAddress)]
      const message = `validator address mismatch at index ${index}: expected ${want}, got ${got}`
      throw failure(VALIDATOR_ERRORS.commit, message)
    }
  }
  const seen = new Map<number, number>()
  return (entry, index) => {
    const found = validatorByAddress(set, entry.validatorAddress)
    if (found === undefined) return undefined
    const first = seen.get(found.index)
    if (first !== undefined) {
      const message = `double vote from ${formatValidator(found.validator)} (${first} and ${index})`
      throw failure(VALIDATOR_ERRORS.commitDoubleVote, message)
    }
    seen.set(found.index, index)
    return found.validator
  }
}

interface Question {
  readonly chainId: string
  readonly set: ValidatorSet
  readonly commit: Commit
  readonly rules: Rules
}

function toEntry({ chainId, commit }: Question, validator: Validator, index: number): Entry {
  const vote = commitVote(commit, index)
  return { index, publicKey: validator.pubKey, message: voteSignBytes(chainId, vote), signature: vote.signature }
}

function planCommit(question: Question): Plan {
  const { set, commit, rules } = question
  return isBatch(set, commit) ? planBatch(question) : planSingle(question, rules.needed)
}

/** All entries are read before any signature is verified. */
function planBatch(question: Question): Plan {
  const { set, commit, rules } = question
  const find = createFinder(set, rules)
  const entries: Entry[] = []
  let power = 0n
  for (const [index, entry] of commit.signatures.entries()) {
    if (rules.ignore(entry)) continue
    const validator = find(entry, index)
    if (validator === undefined) continue
    if (entry.signature.length !== 64) throw failure(VALIDATOR_ERRORS.commitSignature, 'invalid signature')
    entries.push(toEntry(question, validator, index))
    if (rules.count(entry)) power += validator.votingPower
    if (!rules.all && power > rules.needed) break
  }
  if (power <= rules.needed) throw notEnoughPower(power, rules.needed)
  return {
    entries,
    shortfall: undefined,
    failure: ({ index }) => {
      const text = formatCommitSig(commit.signatures[index] as CommitSig)
      return wrongSignature(index, utf8ToBytes(text))
    },
  }
}

function wrongSignature(index: number, shown: Uint8Array): ValidatorError {
  return failure(VALIDATOR_ERRORS.commitSignature, `wrong signature (#${index}): ${bytesToHex(shown)}`)
}

/** Entry by entry: an entry's signature comes before what is wrong with the next. */
function planSingle(question: Question, needed: bigint): Plan {
  const { set, commit, rules } = question
  const find = createFinder(set, rules)
  const entries: Entry[] = []
  const plan = (shortfall?: ValidatorError): Plan => ({
    entries,
    shortfall,
    failure: ({ index, signature }) => wrongSignature(index, signature),
  })
  let power = 0n
  let last: Validator | undefined
  for (const [index, entry] of commit.signatures.entries()) {
    if (rules.ignore(entry)) continue
    try {
      validateCommitSigBasic(entry)
    } catch (cause) {
      const message = `invalid signatures from ${formatValidator(last)} at index ${index}`
      return plan(failure(VALIDATOR_ERRORS.commit, message, cause))
    }
    try {
      last = find(entry, index)
    } catch (error) {
      return plan(error as ValidatorError)
    }
    if (last === undefined) continue
    entries.push(toEntry(question, last, index))
    if (rules.count(entry)) power += last.votingPower
    if (!rules.all && power > needed) return plan()
  }
  return power <= needed ? plan(notEnoughPower(power, needed)) : plan()
}

function conclude(plan: Plan, invalid: number): void {
  if (invalid >= 0) throw plan.failure(plan.entries[invalid] as Entry)
  if (plan.shortfall !== undefined) throw plan.shortfall
}

const twoThirds = (set: ValidatorSet): bigint => (totalVotingPower(set) * 2n) / 3n
const isAbsent = ({ blockIdFlag }: CommitSig): boolean => blockIdFlag === BlockIdFlag.absent
const isForBlock = ({ blockIdFlag }: CommitSig): boolean => blockIdFlag === BlockIdFlag.commit
const isNotForBlock = (entry: CommitSig): boolean => !isForBlock(entry)
const always = (): boolean => true

function planFull(claim: CommitClaim): Plan {
  checkClaim(claim)
  const { chainId, validators: set, commit } = claim
  const rules: Rules = { needed: twoThirds(set), ignore: isAbsent, count: isForBlock, all: true, byIndex: true }
  return planCommit({ chainId, set, commit, rules })
}

function planLight(claim: CommitClaim, all: boolean): Plan {
  checkClaim(claim)
  const { chainId, validators: set, commit } = claim
  const rules: Rules = { needed: twoThirds(set), ignore: isNotForBlock, count: always, all, byIndex: true }
  return planCommit({ chainId, set, commit, rules })
}

function planTrusting({ chainId, validators: set, commit, trustLevel }: TrustingClaim, all: boolean): Plan {
  if (trustLevel.denominator === 0n) throw failure(VALIDATOR_ERRORS.commit, 'trustLevel has zero Denominator')
  const product = totalVotingPower(set) * trustLevel.numerator
  if (product > MAX_INT64) {
    const message = 'int64 overflow while calculating voting power needed. please provide smaller trustLevel numerator'
    throw failure(VALIDATOR_ERRORS.commit, message)
  }
  const needed = product / trustLevel.denominator
  const rules: Rules = { needed, ignore: isNotForBlock, count: always, all, byIndex: false }
  return planCommit({ chainId, set, commit, rules })
}

async function run(plan: Plan, find: FindInvalid): Promise<void> {
  conclude(plan, await find(plan.entries))
}

/**
 * Throws {@link ValidatorError} unless more than two thirds of the power signed for the block and every signature, also for
 * nil, verifies. All signatures go to the thread pool at once.
 */
export async function verifyCommit(claim: CommitClaim, find: FindInvalid = findInvalidSignature): Promise<void> {
  return run(planFull(claim), find)
}

/** {@link verifyCommit} on the calling thread. */
export function verifyCommitSync(claim: CommitClaim, find: FindInvalidSync = findInvalidSignatureSync): void {
  const plan = planFull(claim)
  conclude(plan, find(plan.entries))
}

/** Throws {@link ValidatorError} unless more than two thirds signed for the block; stops once they are reached. */
export async function verifyCommitLight(claim: CommitClaim, find: FindInvalid = findInvalidSignature): Promise<void> {
  return run(planLight(claim, false), find)
}

/** {@link verifyCommitLight} on the calling thread. */
export function verifyCommitLightSync(claim: CommitClaim, find: FindInvalidSync = findInvalidSignatureSync): void {
  const plan = planLight(claim, false)
  conclude(plan, find(plan.entries))
}

/** {@link verifyCommitLight}, and every signature for the block must verify. */
export async function verifyCommitLightAllSignatures(
  claim: CommitClaim,
  find: FindInvalid = findInvalidSignature,
): Promise<void> {
  return run(planLight(claim, true), find)
}

/**
 * Throws {@link ValidatorError} unless the trust level's part of a set, that need not be the one that signed, signed for the
 * block; stops once it is reached.
 */
export async function verifyCommitLightTrusting(
  claim: TrustingClaim,
  find: FindInvalid = findInvalidSignature,
): Promise<void> {
  return run(planTrusting(claim, false), find)
}

/** {@link verifyCommitLightTrusting}, and every signature of the set's validators must verify. */
export async function verifyCommitLightTrustingAllSignatures(
  claim: TrustingClaim,
  find: FindInvalid = findInvalidSignature,
): Promise<void> {
  return run(planTrusting(claim, true), find)
}

export type ExtendedCommitClaim = Omit<CommitClaim, 'commit'> & { readonly commit: ExtendedCommit }

/** {@link verifyCommit} of an extended commit; every vote for the block must carry a valid extension signature. */
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
    throw failure(VALIDATOR_ERRORS.commitSignature, message)
  }
}
