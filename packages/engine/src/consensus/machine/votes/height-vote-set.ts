import { type BlockId, SignedMsgType, type ValidatorSet, type Vote } from '@org/types'
import { VOTE_REFUSALS, type VoteRefusal } from './errors.ts'
import { leastSupported, type RoundVotes } from './round-votes.ts'
import type { VerifySignature } from './verify.ts'
import { refuseFirstVote, VoteSet, type VoteSetOptions } from './vote-set.ts'

/**
 * The number of later rounds that one peer may open, as in the reference. If this node is in round `r`, a later round
 * is a round above `r + 1`. A peer opens a later round by sending a vote of that round. From then on, this node keeps
 * all votes of that round. A peer that helps this node to catch up may send two commits of one height: its seen commit,
 * and the last commit in the next block. These commits can be of two different rounds.
 */
const CATCHUP_ROUNDS_PER_PEER = 2

/**
 * The maximum number of later rounds whose votes are kept, for all peers together. Without this limit, a validator that
 * connects again and again with new ids could open any number of rounds while the height lasts.
 */
const MAX_CATCHUP_ROUNDS = 100

/**
 * The maximum number of peers for which this node remembers, at one height, the rounds that the peer opened and its
 * claims of +2/3. If there are more peers, this node forgets the peer that has sent no claim and opened no round for
 * the longest time. Without this limit, a node that connects again and again with new ids could store any number of
 * claims while the height lasts.
 */
const MAX_REMEMBERED_PEERS = 500

export interface HeightVoteSetOptions {
  readonly chainId: string
  readonly height: number
  readonly validators: ValidatorSet
  readonly extended: boolean
  readonly verify: VerifySignature
}

/**
 * All votes of a height. This node keeps the votes of rounds 0 to the next round, and of a few later rounds for each
 * peer. A peer opens a later round when it sends a vote of this round.
 */
export class HeightVoteSet {
  readonly options: HeightVoteSetOptions
  readonly #rounds = new Map<number, RoundVotes>()
  /**
   * Maps the id of a peer to the later rounds that the peer opened. The list of rounds is empty for a peer that only
   * claimed +2/3 for a block. The peers are in the order in which each of them last sent a claim or opened a round.
   */
  readonly #catchupRounds = new Map<string, readonly number[]>()
  #round = 0

  constructor(options: HeightVoteSetOptions) {
    this.options = options
    this.#open(0)
  }

  /**
   * The last of the rounds whose votes are always kept. The votes of a later round are kept only if a peer opened the
   * round.
   */
  get round(): number {
    return this.#round
  }

  /** The number of rounds whose votes are kept. */
  get rounds(): number {
    return this.#rounds.size
  }

  setRound(round: number): void {
    for (let r = this.#round; r <= round; r++) if (!this.#rounds.has(r)) this.#open(r)
    this.#round = Math.max(this.#round, round)
  }

  #optionsOf(round: number, type: SignedMsgType): VoteSetOptions {
    const { chainId, height, validators, extended, verify } = this.options
    return {
      ...{ chainId, height, round, validators, verify, type },
      extended: extended && type === SignedMsgType.precommit,
    }
  }

  #open(round: number): RoundVotes {
    const votes = {
      prevotes: new VoteSet(this.#optionsOf(round, SignedMsgType.prevote)),
      precommits: new VoteSet(this.#optionsOf(round, SignedMsgType.precommit)),
    }
    this.#rounds.set(round, votes)
    return votes
  }

  /**
   * Returns the vote set for the round and the type of the vote. If this node does not keep votes of this round yet,
   * the vote opens the round for its sender, the peer `peerId`. Returns a refusal if this peer may open no more rounds,
   * or if the vote that would open the round is invalid.
   */
  setFor(vote: Vote, peerId: string): VoteSet | VoteRefusal {
    const votes = this.#rounds.get(vote.round) ?? this.#openLater(vote, peerId)
    if (typeof votes === 'string') return votes
    return vote.type === SignedMsgType.prevote ? votes.prevotes : votes.precommits
  }

  #openLater(vote: Vote, peerId: string): RoundVotes | VoteRefusal {
    const { round } = vote
    if (!this.mayOpen(round, peerId)) return VOTE_REFUSALS.unwantedRound
    const refusal = refuseFirstVote(vote, this.#optionsOf(round, vote.type))
    if (refusal !== undefined) return refusal
    this.#makeRoom()
    const opened = this.#catchupRounds.get(peerId) ?? []
    this.#remember(peerId, opened.includes(round) ? opened : [...opened, round])
    return this.#open(round)
  }

  /** Returns true if a valid vote of the peer may open this later round. */
  mayOpen(round: number, peerId: string): boolean {
    const opened = this.#catchupRounds.get(peerId) ?? []
    return opened.length < CATCHUP_ROUNDS_PER_PEER || opened.includes(round)
  }

  /** If there are too many later rounds, removes the round with the least support. */
  #makeRoom(): void {
    const later = [...this.#rounds.values()].filter(({ prevotes }) => prevotes.options.round > this.#round)
    if (later.length < MAX_CATCHUP_ROUNDS) return
    const removed = leastSupported(later, this.options.validators)
    if (removed !== undefined) this.#rounds.delete(removed.prevotes.options.round)
  }

  /**
   * Records that the peer `peerId` has just sent a claim of +2/3, or has just opened a later round. If there are too
   * many peers in the record, removes the first peer of the record, and the claims of this peer.
   */
  #remember(peerId: string, rounds: readonly number[]): void {
    this.#catchupRounds.delete(peerId)
    this.#catchupRounds.set(peerId, rounds)
    const [oldest] = this.#catchupRounds.keys()
    if (oldest === undefined || this.#catchupRounds.size <= MAX_REMEMBERED_PEERS) return
    this.#catchupRounds.delete(oldest)
    for (const { prevotes, precommits } of this.#rounds.values()) {
      prevotes.removePeerMaj23(oldest)
      precommits.removePeerMaj23(oldest)
    }
  }

  prevotes(round: number): VoteSet | undefined {
    return this.#rounds.get(round)?.prevotes
  }

  precommits(round: number): VoteSet | undefined {
    return this.#rounds.get(round)?.precommits
  }

  /**
   * Stores a peer's claim of +2/3 for a block. Returns false if the peer has claimed another block for the same round
   * and type before. A claim for a round whose votes are not kept is not stored.
   */
  setPeerMaj23(peerId: string, claim: { round: number; voteType: SignedMsgType; blockId: BlockId }): boolean {
    const votes = this.#rounds.get(claim.round)
    const set = claim.voteType === SignedMsgType.prevote ? votes?.prevotes : votes?.precommits
    if (set === undefined) return true
    this.#remember(peerId, this.#catchupRounds.get(peerId) ?? [])
    return set.setPeerMaj23(peerId, claim.blockId)
  }
}
