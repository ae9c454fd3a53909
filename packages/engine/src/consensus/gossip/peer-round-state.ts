import {
  BitSet,
  bitSetFromWords,
  compareConsensusPositions,
  type PartSetHeader,
  type Proposal,
  SignedMsgType,
  type Vote,
  ZERO_PART_SET_HEADER,
} from '@org/types'
import type { HasVote, NewRoundStep, NewValidBlock, ProposalPol, VoteSetBits } from '@org/types/messages'
import { type Time, ZERO_TIME } from '@org/types/time'
import { RoundStep } from '../machine/index.ts'
import type { VoteSource } from './vote-source.ts'

interface VotePlace {
  readonly height: number
  readonly round: number
  readonly type: SignedMsgType
}

/** Returns `from` as a set with the size of `to`. Indexes of `from` at or above this size are left out. */
function resized(from: BitSet, to: BitSet): BitSet {
  return new BitSet(to.size).not().and(new BitSet(to.size).or(from))
}

/**
 * The height, round and step of a peer, and the data that the peer has. The peer has the data that it reported, and the
 * data that this node sent to it. The members of the type `BitSet` record which votes and block parts the peer has. The
 * size of each bit set is the size of a validator set or part set of this node, or a size that {@link validateMessage}
 * allows.
 */
export class PeerRoundState {
  /** The height of the peer; 0 before its first report. */
  height = 0
  round = -1
  /** The step of the peer; 0 before its first report. */
  step = 0
  startTime: Time = ZERO_TIME
  proposal = false
  proposalPartSetHeader: PartSetHeader = ZERO_PART_SET_HEADER
  proposalParts: BitSet | undefined
  proposalPolRound = -1
  proposalPol: BitSet | undefined
  prevotes: BitSet | undefined
  precommits: BitSet | undefined
  lastCommitRound = -1
  lastCommit: BitSet | undefined
  /**
   * This node sends the votes of a stored commit to a peer at an old height. `catchupCommitRound` is the round of this
   * commit, and `catchupCommit` are the validators whose votes in this commit the peer has.
   */
  catchupCommitRound = -1
  catchupCommit: BitSet | undefined
  /**
   * True if this node assumes that the peer has all parts of the proposed block. This node assumes this if the peer has
   * prevoted and has not reported in this round which parts it has. While the value is true, this node sends no parts
   * to the peer, except if the block is large or this node is the proposer. The assumption can be wrong: a validator
   * can prevote nil without the block. So the regular check of the gossip sets the value to false. This node then sends
   * the parts that the peer lacks.
   */
  mayHaveBlock = false
  /**
   * True if the peer has reported in this round which parts it has. Then this node does not conclude from the peer's
   * step that the peer has the block.
   */
  #reportedParts = false

  /** Records the new step of the peer. Returns false if the recorded step is the same or a later one. */
  applyNewRoundStep(message: NewRoundStep, now: Time): boolean {
    if (compareConsensusPositions(message, this) <= 0) return false
    const { height, round, catchupCommitRound, catchupCommit, precommits } = this
    this.height = message.height
    this.round = message.round
    this.step = message.step
    // The message contains the number of seconds since the start of the peer's height. A peer may send a number that is
    // far too large. So the number of nanoseconds is reduced to 64 bits, as in the reference. Without this reduction,
    // `startTime` could be outside of the years that a text can show, and `dump_consensus_state` would fail.
    this.startTime = now - BigInt.asIntN(64, BigInt(message.secondsSinceStartTime) * 1_000_000_000n)
    if (height !== message.height || round !== message.round) this.#enterRound()
    this.mayHaveBlock = message.step >= RoundStep.prevote && !this.#reportedParts
    if (height === message.height && round !== message.round && message.round === catchupCommitRound) {
      this.precommits = catchupCommit
    }
    if (height === message.height) return true
    const follows = height + 1 === message.height && round === message.lastCommitRound
    this.lastCommitRound = message.lastCommitRound
    this.lastCommit = follows ? precommits : undefined
    this.catchupCommitRound = -1
    this.catchupCommit = undefined
    return true
  }

  #enterRound(): void {
    this.#reportedParts = false
    this.proposal = false
    this.proposalPartSetHeader = ZERO_PART_SET_HEADER
    this.proposalParts = undefined
    this.proposalPolRound = -1
    this.proposalPol = undefined
    this.prevotes = undefined
    this.precommits = undefined
  }

  applyNewValidBlock({ height, round, blockPartSetHeader, blockParts, isCommit }: NewValidBlock): void {
    if (this.height !== height || blockParts === undefined) return
    if (this.round !== round && !isCommit) return
    this.mayHaveBlock = false
    this.#reportedParts = true
    this.proposalPartSetHeader = blockPartSetHeader
    this.proposalParts = bitSetFromWords(blockParts)
  }

  applyProposalPol({ height, proposalPolRound, proposalPol }: ProposalPol): void {
    if (this.height !== height || this.proposalPolRound !== proposalPolRound) return
    this.proposalPol = bitSetFromWords(proposalPol)
  }

  applyHasVote({ height, round, type, index }: HasVote): void {
    if (this.height === height) this.setHasVote({ height, round, type }, index)
  }

  /**
   * Records the votes that the peer reports to have for a block. The parameter `ours` contains the validators whose
   * votes for the block this node has:
   * - For a validator in `ours`, the report can add the vote to the record, or remove it from the record.
   * - For a validator that is not in `ours`, the report can only add the vote to the record.
   *
   * If `ours` is `undefined`, the report replaces the whole record. This is so if this node keeps no votes for the
   * block, for example because this node is at another height.
   */
  applyVoteSetBits({ height, round, type, votes }: VoteSetBits, ours: BitSet | undefined): void {
    const known = this.#votesAt({ height, round, type })
    if (known === undefined) return
    const reported = bitSetFromWords(votes)
    const next = resized(ours === undefined ? reported : known.sub(ours).or(reported), known)
    for (let index = 0; index < known.size; index++) known.set(index, next.get(index))
  }

  setHasProposal({ height, round, blockId, polRound }: Proposal): void {
    if (this.height !== height || this.round !== round || this.proposal) return
    this.proposal = true
    // If the peer reported a valid block before the proposal, `proposalParts` is set already, and stays.
    if (this.proposalParts !== undefined) return
    this.initProposalParts(blockId.partSetHeader)
    this.proposalPolRound = polRound
    this.proposalPol = undefined
  }

  initProposalParts(header: PartSetHeader): void {
    if (this.proposalParts !== undefined) return
    this.proposalPartSetHeader = header
    this.proposalParts = new BitSet(header.total)
  }

  setHasPart(height: number, round: number, index: number): void {
    if (this.height === height && this.round === round) this.proposalParts?.set(index, true)
  }

  setHasVote(place: VotePlace, index: number): void {
    this.#votesAt(place)?.set(index, true)
  }

  /** Makes room for the votes of a height with this many validators. */
  ensureVoteBits(height: number, size: number): void {
    if (this.height === height) {
      this.prevotes ??= new BitSet(size)
      this.precommits ??= new BitSet(size)
      this.catchupCommit ??= new BitSet(size)
      // A peer can report a POL with any number of bits, so the set gets one bit for each validator. Without this bit,
      // this node could not record that it sent the validator's vote, and would send the vote again and again.
      if (this.proposalPol?.size !== size)
        this.proposalPol = resized(this.proposalPol ?? new BitSet(0), new BitSet(size))
    } else if (this.height === height + 1) {
      this.lastCommit ??= new BitSet(size)
    }
  }

  /**
   * Returns the votes of `source` that the peer lacks; `undefined` if the peer lacks none of them or cannot use them.
   */
  lacks(source: VoteSource): BitSet | undefined {
    if (source.size === 0) return undefined
    if (source.isCommit) this.#ensureCatchupCommit(source)
    this.ensureVoteBits(source.height, source.size)
    const known = this.#votesAt(source)
    return known === undefined || source.bits.isWithin(known) ? undefined : source.bits.sub(known)
  }

  noteSent(vote: Vote): void {
    this.setHasVote(vote, vote.validatorIndex)
  }

  #ensureCatchupCommit({ height, round, size }: VoteSource): void {
    if (this.height !== height || this.catchupCommitRound === round) return
    this.catchupCommitRound = round
    this.catchupCommit = round === this.round ? this.precommits : new BitSet(size)
  }

  #votesAt({ height, round, type }: VotePlace): BitSet | undefined {
    const isPrevote = type === SignedMsgType.prevote
    if (!isPrevote && type !== SignedMsgType.precommit) return undefined
    if (this.height === height) {
      if (this.round === round) return isPrevote ? this.prevotes : this.precommits
      if (this.catchupCommitRound === round) return isPrevote ? undefined : this.catchupCommit
      if (this.proposalPolRound === round) return isPrevote ? this.proposalPol : undefined
      return undefined
    }
    if (this.height === height + 1 && this.lastCommitRound === round) return isPrevote ? undefined : this.lastCommit
    return undefined
  }
}
