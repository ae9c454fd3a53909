import { equalBlockIds, formatBlockId } from '../block-id/block-id.ts'
import { type BlockId, BlockIdFlag } from '../block-id/id.ts'
import { bytesToHex, equalBytes, utf8ToBytes } from '../bytes/index.ts'
import type { Commit, CommitSig } from '../commit/commit.ts'
import { commitVote, formatCommitSig } from '../commit/commit-votes.ts'
import { validateCommitSigBasic } from '../commit/validate-commit.ts'
import type { SignedItem } from '../crypto/verify.ts'
import { voteSignBytes } from '../vote/sign-bytes.ts'
import { VALIDATOR_ERRORS, ValidatorError, type ValidatorErrorCode } from './errors.ts'
import { MAX_INT64 } from './int64.ts'
import { proposerOf, totalVotingPower, validatorByAddress } from './set.ts'
import { formatValidator } from './validator.ts'
import type { Validator, ValidatorSet } from './wire.ts'

/** The claim that a commit must prove: these validators committed this block at this height of this chain. */
export interface CommitClaim {
  readonly chainId: string
  readonly validators: ValidatorSet
  readonly blockId: BlockId
  readonly height: number
  readonly commit: Commit
}

/** A fraction, such as one third: `{ numerator: 1n, denominator: 3n }`. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/**
 * The claim that the commit of a distant block must prove: trusted validators with enough power signed it. `validators`
 * is the trusted set.
 */
export interface TrustingClaim {
  readonly chainId: string
  readonly validators: ValidatorSet
  readonly commit: Commit
  /** Validators with more than this share of the set's power must have signed for the block. */
  readonly trustLevel: Fraction
}

/** The rules of one kind of verification of a commit. */
interface Rules {
  readonly needed: bigint
  readonly ignore: (entry: CommitSig) => boolean
  readonly count: (entry: CommitSig) => boolean
  /**
   * True if all entries are verified. False if the verification stops as soon as the verified entries have more than
   * the needed power.
   */
  readonly all: boolean
  /**
   * True if the commit is verified with the validator set that signed it. Then an entry and its validator have the same
   * index.
   */
  readonly byIndex: boolean
}

/** A signature of a commit, with its position in the commit. */
export interface Entry extends SignedItem {
  readonly index: number
}

/**
 * The plan for the verification of a commit's signatures. It is made from the entries of the commit. The caller of the
 * plan verifies the signatures of `entries`, and throws `failure` for the first invalid signature. If all signatures
 * are valid and `shortfall` is not `undefined`, the caller throws `shortfall`.
 */
export interface Plan {
  readonly entries: readonly Entry[]
  readonly failure: (entry: Entry) => ValidatorError
  /**
   * A fault that was found while the entries of the commit were read, for example too little power. If the signature of
   * one of the `entries` is invalid, the invalid signature is reported instead of this fault.
   */
  readonly shortfall: ValidatorError | undefined
}

export const commitError = (code: ValidatorErrorCode, message: string, cause?: unknown): ValidatorError =>
  new ValidatorError(code, message, cause === undefined ? {} : { cause })

function checkClaim({ validators, commit, height, blockId }: CommitClaim): void {
  const [want, got] = [validators.validators.length, commit.signatures.length]
  if (want !== got) {
    throw commitError(VALIDATOR_ERRORS.commitSize, `Invalid commit -- wrong set size: ${want} vs ${got}`)
  }
  if (height !== commit.height) {
    const message = `Invalid commit -- wrong height: ${height} vs ${commit.height}`
    throw commitError(VALIDATOR_ERRORS.commitHeight, message)
  }
  if (!equalBlockIds(blockId, commit.blockId)) {
    const [wanted, found] = [formatBlockId(blockId), formatBlockId(commit.blockId)]
    const message = `invalid commit -- wrong block ID: want ${wanted}, got ${found}`
    throw commitError(VALIDATOR_ERRORS.commitBlockId, message)
  }
}

/**
 * True if the reference verifies the commit's signatures in one batch. The order and the text of errors depend on this.
 */
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

/**
 * Makes a function that returns the validator of an entry; `undefined` if it is not in the set. The function throws on
 * a wrong address or a second vote.
 */
function createFinder(set: ValidatorSet, rules: Rules): Finder {
  if (rules.byIndex) {
    return (entry, index) => {
      const validator = set.validators[index] as Validator
      if (equalBytes(validator.address, entry.validatorAddress)) return validator
      const [want, got] = [bytesToHex(validator.address), bytesToHex(entry.validatorAddress)]
      const message = `validator address mismatch at index ${index}: expected ${want}, got ${got}`
      throw commitError(VALIDATOR_ERRORS.commit, message)
    }
  }
  const seen = new Map<number, number>()
  return (entry, index) => {
    const found = validatorByAddress(set, entry.validatorAddress)
    if (found === undefined) return undefined
    const first = seen.get(found.index)
    if (first !== undefined) {
      const message = `double vote from ${formatValidator(found.validator)} (${first} and ${index})`
      throw commitError(VALIDATOR_ERRORS.commitDoubleVote, message)
    }
    seen.set(found.index, index)
    return found.validator
  }
}

/** Returns the signed bytes of the entry at an index. */
export type SignBytes = (index: number) => Uint8Array

/**
 * Makes a function that returns the signed bytes of an entry. The bytes of each entry are made only once, and all plans
 * of the commit share them.
 */
export function createSignBytes(chainId: string, commit: Commit): SignBytes {
  const made = new Map<number, Uint8Array>()
  return (index) => {
    const bytes = made.get(index) ?? voteSignBytes(chainId, commitVote(commit, index))
    made.set(index, bytes)
    return bytes
  }
}

interface Question {
  readonly signBytes: SignBytes
  readonly set: ValidatorSet
  readonly commit: Commit
  readonly rules: Rules
}

function toEntry({ signBytes, commit }: Question, validator: Validator, index: number): Entry {
  const { signature } = commit.signatures[index] as CommitSig
  return { index, publicKey: validator.pubKey, message: signBytes(index), signature }
}

function planCommit(question: Question): Plan {
  const { set, commit, rules } = question
  return isBatch(set, commit) ? planBatch(question) : planSingle(question, rules.needed)
}

/**
 * Makes the plan for a batch verification: all entries are read before any signature is verified. A fault in the
 * entries is thrown at once, and is not stored as {@link Plan.shortfall}.
 */
function planBatch(question: Question): Plan {
  const { set, commit, rules } = question
  const find = createFinder(set, rules)
  const signers: { readonly validator: Validator; readonly index: number }[] = []
  let power = 0n
  const { length } = commit.signatures
  for (let index = 0; index < length; index++) {
    const entry = commit.signatures[index] as CommitSig
    if (rules.ignore(entry)) continue
    const validator = find(entry, index)
    if (validator === undefined) continue
    if (entry.signature.length !== 64) throw commitError(VALIDATOR_ERRORS.commitSignature, 'invalid signature')
    signers.push({ validator, index })
    if (rules.count(entry)) power += validator.votingPower
    if (!rules.all && power > rules.needed) break
  }
  if (power <= rules.needed) throw notEnoughPower(power, rules.needed)
  return {
    // The signed bytes are made only if there is enough power, because a light client often finds too little power.
    entries: signers.map(({ validator, index }) => toEntry(question, validator, index)),
    shortfall: undefined,
    failure: ({ index }) => {
      const text = formatCommitSig(commit.signatures[index] as CommitSig)
      return wrongSignature(index, utf8ToBytes(text))
    },
  }
}

function wrongSignature(index: number, shown: Uint8Array): ValidatorError {
  return commitError(VALIDATOR_ERRORS.commitSignature, `wrong signature (#${index}): ${bytesToHex(shown)}`)
}

/**
 * Plans a verification that checks the entries in order: the signature of an entry is checked before the next entry is
 * read.
 */
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
      return plan(commitError(VALIDATOR_ERRORS.commit, message, cause))
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

export function conclude(plan: Plan, invalid: number): void {
  if (invalid >= 0) throw plan.failure(plan.entries[invalid] as Entry)
  if (plan.shortfall !== undefined) throw plan.shortfall
}

const twoThirds = (set: ValidatorSet): bigint => (totalVotingPower(set) * 2n) / 3n
const isAbsent = ({ blockIdFlag }: CommitSig): boolean => blockIdFlag === BlockIdFlag.absent
const isForBlock = ({ blockIdFlag }: CommitSig): boolean => blockIdFlag === BlockIdFlag.commit
const isNotForBlock = (entry: CommitSig): boolean => !isForBlock(entry)
const always = (): boolean => true

export function planFull(claim: CommitClaim): Plan {
  checkClaim(claim)
  const { chainId, validators: set, commit } = claim
  const rules: Rules = { needed: twoThirds(set), ignore: isAbsent, count: isForBlock, all: true, byIndex: true }
  return planCommit({ signBytes: createSignBytes(chainId, commit), set, commit, rules })
}

export function planLight(claim: CommitClaim, all: boolean, shared?: SignBytes): Plan {
  checkClaim(claim)
  const { chainId, validators: set, commit } = claim
  const rules: Rules = { needed: twoThirds(set), ignore: isNotForBlock, count: always, all, byIndex: true }
  return planCommit({ signBytes: shared ?? createSignBytes(chainId, commit), set, commit, rules })
}

export function planTrusting(claim: TrustingClaim, all: boolean, shared?: SignBytes): Plan {
  const { chainId, validators: set, commit, trustLevel } = claim
  if (trustLevel.denominator === 0n) throw commitError(VALIDATOR_ERRORS.commit, 'trustLevel has zero Denominator')
  const product = totalVotingPower(set) * trustLevel.numerator
  if (product > MAX_INT64) {
    const message = 'int64 overflow while calculating voting power needed. please provide smaller trustLevel numerator'
    throw commitError(VALIDATOR_ERRORS.commit, message)
  }
  const needed = product / trustLevel.denominator
  const rules: Rules = { needed, ignore: isNotForBlock, count: always, all, byIndex: false }
  return planCommit({ signBytes: shared ?? createSignBytes(chainId, commit), set, commit, rules })
}
