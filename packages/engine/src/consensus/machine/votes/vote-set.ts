import {
  BitSet,
  type BlockId,
  blockIdKey,
  equalBlockIds,
  type SignedMsgType,
  totalVotingPower,
  type Validator,
  type ValidatorSet,
  type Vote,
} from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { PublicKey } from '@org/types/crypto'
import { addToBlockVotes, type BlockVotes, createBlockVotes } from './block-votes.ts'
import { VOTE_REFUSALS, type VoteRefusal } from './errors.ts'
import { refuseSignatures, type VerifySignature } from './verify.ts'

export interface VoteSetOptions {
  readonly chainId: string
  readonly height: number
  readonly round: number
  readonly type: SignedMsgType
  readonly validators: ValidatorSet
  /** If true, precommits for a block must have a signed extension. If false, no vote may have an extension. */
  readonly extended: boolean
  readonly verify: VerifySignature
}

export type VoteCheck =
  | { readonly kind: 'new'; readonly validator: Validator }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly refusal: VoteRefusal }

export type VoteAddition =
  | { readonly kind: 'added' }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'refused'; readonly refusal: VoteRefusal }
  /**
   * The validator signed two different votes. `added` is true if the new vote was added too, because a peer claims +2/3
   * for the block of the new vote.
   */
  | { readonly kind: 'conflict'; readonly existing: Vote; readonly added: boolean }

/** Returns the validator that signed the vote, by the index in the vote; otherwise the reason to refuse the vote. */
function signerOf(vote: Vote, options: Omit<VoteSetOptions, 'verify'>): Validator | VoteRefusal {
  if (vote.height !== options.height || vote.round !== options.round || vote.type !== options.type) {
    return VOTE_REFUSALS.unexpectedStep
  }
  const validator = options.validators.validators[vote.validatorIndex]
  if (validator === undefined) return VOTE_REFUSALS.invalidIndex
  return equalBytes(validator.address, vote.validatorAddress) ? validator : VOTE_REFUSALS.invalidAddress
}

/**
 * Returns why a vote set with these options would refuse the vote if it were the first vote of the set; `undefined` if
 * the set would accept it.
 */
export function refuseFirstVote(vote: Vote, options: VoteSetOptions): VoteRefusal | undefined {
  const signer = signerOf(vote, options)
  return typeof signer === 'string' ? signer : refuseSignatures(vote, signer.pubKey as PublicKey, options)
}

/**
 * The votes of one type and round. `#primary` has one vote per validator. A second vote of a validator, for another
 * block, is kept only if a peer claims +2/3 for that block. Each peer may claim one block, so each claim adds at most
 * one vote per validator.
 */
export class VoteSet {
  readonly options: VoteSetOptions
  readonly #primary: (Vote | undefined)[]
  readonly #bits: BitSet
  readonly #byBlock = new Map<string, BlockVotes>()
  readonly #peerMaj23s = new Map<string, BlockId>()
  /** The validators with a conflicting vote that was not added. Made when the first of these votes arrives. */
  #conflicting: BitSet | undefined
  readonly #total: bigint
  #sum = 0n
  #majority: BlockId | undefined

  constructor(options: VoteSetOptions) {
    this.options = options
    const size = options.validators.validators.length
    this.#primary = new Array<Vote | undefined>(size).fill(undefined)
    this.#bits = new BitSet(size)
    this.#total = totalVotingPower(options.validators)
  }

  get size(): number {
    return this.#primary.length
  }

  /** Checks a vote without adding it. The signatures are checked last, because this check costs the most time. */
  check(vote: Vote): VoteCheck {
    const { options } = this
    const refused = (refusal: VoteRefusal): VoteCheck => ({ kind: 'refused', refusal })
    const validator = signerOf(vote, options)
    if (typeof validator === 'string') return refused(validator)
    const known = this.#find(vote.validatorIndex, vote.blockId)
    if (known !== undefined) {
      if (equalBytes(known.signature, vote.signature)) return { kind: 'duplicate' }
      return refused(VOTE_REFUSALS.nonDeterministicSignature)
    }
    const refusal = refuseSignatures(vote, validator.pubKey as PublicKey, options)
    return refusal === undefined ? { kind: 'new', validator } : refused(refusal)
  }

  add(vote: Vote): VoteAddition {
    const check = this.check(vote)
    return check.kind === 'new' ? this.addChecked(vote, check.validator) : check
  }

  /** Adds a vote for which {@link check} returned `new`. */
  addChecked(vote: Vote, { votingPower }: Validator): VoteAddition {
    const key = blockIdKey(vote.blockId)
    const existing = this.#primary[vote.validatorIndex]
    if (existing === undefined) {
      this.#setPrimary(vote)
      this.#sum += votingPower
    } else if (this.#majority !== undefined && equalBlockIds(this.#majority, vote.blockId)) {
      this.#setPrimary(vote)
    }
    let votes = this.#byBlock.get(key)
    if (existing !== undefined && (votes?.claims ?? 0) === 0) return this.#refuseConflict(existing)
    if (votes === undefined) {
      votes = createBlockVotes(this.size, 0)
      this.#byBlock.set(key, votes)
    }
    const before = votes.sum
    addToBlockVotes(votes, vote, votingPower)
    const quorum = (this.#total * 2n) / 3n + 1n
    // Faulty validators could bring a second block to the quorum. Only the first block counts as the majority.
    if (before < quorum && quorum <= votes.sum && this.#majority === undefined) {
      this.#majority = vote.blockId
      for (const other of votes.votes) if (other !== undefined) this.#setPrimary(other)
    }
    return existing === undefined ? { kind: 'added' } : { kind: 'conflict', existing, added: true }
  }

  #refuseConflict(existing: Vote): VoteAddition {
    this.#conflicting ??= new BitSet(this.size)
    this.#conflicting.set(existing.validatorIndex, true)
    return { kind: 'conflict', existing, added: false }
  }

  /**
   * Returns false in two cases. First, the set has the vote already. Second, the set has another vote of the validator,
   * did not add a conflicting vote of the validator before, and would not add this vote either.
   */
  mayAdd({ validatorIndex: index, blockId }: Vote): boolean {
    if (this.#find(index, blockId) !== undefined) return false
    if (this.#primary[index] === undefined || this.#conflicting?.get(index) !== true) return true
    const isMajority = this.#majority !== undefined && equalBlockIds(this.#majority, blockId)
    return isMajority || (this.#byBlock.get(blockIdKey(blockId))?.claims ?? 0) > 0
  }

  #setPrimary(vote: Vote): void {
    this.#primary[vote.validatorIndex] = vote
    this.#bits.set(vote.validatorIndex, true)
  }

  #find(index: number, blockId: BlockId): Vote | undefined {
    const primary = this.#primary[index]
    if (primary !== undefined && equalBlockIds(primary.blockId, blockId)) return primary
    return this.#byBlock.get(blockIdKey(blockId))?.votes[index]
  }

  /** Stores a peer's claim of +2/3. Returns false if the peer has claimed another block before. */
  setPeerMaj23(peerId: string, blockId: BlockId): boolean {
    const claimed = this.#peerMaj23s.get(peerId)
    if (claimed !== undefined) return equalBlockIds(claimed, blockId)
    this.#peerMaj23s.set(peerId, blockId)
    const key = blockIdKey(blockId)
    const votes = this.#byBlock.get(key)
    if (votes === undefined) this.#byBlock.set(key, createBlockVotes(this.size, 1))
    else votes.claims++
    return true
  }

  /**
   * Removes a peer's claim of +2/3 for a block. If it was the last claim for the block, all votes for the block are
   * removed too. There is one exception: if the getter `votes` returns at least one vote for the block, all votes for
   * the block stay, and the block still counts as claimed.
   */
  removePeerMaj23(peerId: string): void {
    const claimed = this.#peerMaj23s.get(peerId)
    if (claimed === undefined) return
    this.#peerMaj23s.delete(peerId)
    const key = blockIdKey(claimed)
    const votes = this.#byBlock.get(key)
    if (votes === undefined || votes.votes.some((vote, index) => vote === this.#primary[index])) return
    votes.claims--
    if (votes.claims === 0) this.#byBlock.delete(key)
  }

  /**
   * One vote of each validator, by the validator's index: its vote for the block with +2/3, otherwise its first vote.
   */
  get votes(): readonly (Vote | undefined)[] {
    return this.#primary
  }

  vote(index: number): Vote | undefined {
    return this.#primary[index]
  }

  /** A copy of the set of validators that voted. */
  get bits(): BitSet {
    return this.#bits.copy()
  }

  /** The set of validators that voted. The set is not a copy: read it at once and do not change it. */
  get liveBits(): BitSet {
    return this.#bits
  }

  /**
   * A copy of the set of validators that voted for this block. The set is empty if a peer claims +2/3 for the block,
   * and no validator voted for it. The result is `undefined` if there is neither a claim nor a vote for the block.
   */
  bitsFor(blockId: BlockId): BitSet | undefined {
    const votes = this.#byBlock.get(blockIdKey(blockId))
    return votes && (votes.bits?.copy() ?? new BitSet(this.size))
  }

  get peerMaj23s(): ReadonlyMap<string, BlockId> {
    return this.#peerMaj23s
  }

  /** The block (or nil) that +2/3 voted for. */
  get majority(): BlockId | undefined {
    return this.#majority
  }

  /** The power of the votes, and the total power. */
  get power(): { readonly voted: bigint; readonly total: bigint } {
    return { voted: this.#sum, total: this.#total }
  }

  /** Returns true if +2/3 voted, for any blocks or nil. */
  get hasTwoThirdsAny(): boolean {
    return this.#sum > (this.#total * 2n) / 3n
  }

  get hasAll(): boolean {
    return this.#sum === this.#total
  }
}
