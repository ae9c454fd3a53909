import { type BlockId, SignedMsgType, type ValidatorSet, type Vote } from '@org/types'
import { VOTE_REFUSALS, type VoteRefusal } from './errors.ts'
import { leastSupported, type RoundVotes } from './round-votes.ts'
import type { VerifySignature } from './verify.ts'
import { refuseFirstVote, VoteSet, type VoteSetOptions } from './vote-set.ts'

/**
 * The number of later rounds that one peer may open; the reference's figure. A later round is a round after the next
 * round. A peer opens a later round with a vote of this round, and this node then keeps all votes of the round. A peer
 * that helps this node catch up needs two rounds: the round of the commit that the peer saw, and the round of the
 * commit in the next block.
 */
const CATCHUP_ROUNDS_PER_PEER = 2

/**
 * The maximum number of later rounds whose votes are kept, for all peers together. Without this limit, a validator that
 * connects again and again with new ids could open any number of rounds while the height lasts.
 */
const MAX_CATCHUP_ROUNDS = 100

/**
 * The number of peers whose claims and later rounds are remembered at one height: the peers that last sent a claim or
 * opened a round. Without this limit, a node that connects again and again with new ids could store any number of
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
   * The later rounds that each peer opened. A peer that only claimed +2/3 has an empty list. The peers are in the order
   * in which each of them last sent a claim or opened a round.
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
   * Returns the vote set of the vote's round and type. If this node does not keep votes of the round yet, opens the
   * round for the peer. Returns the reason if the peer may open no more rounds, or if the vote is invalid: an invalid
   * vote opens no round.
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

  /** Records that a peer sent a claim or opened a round now. If there are too many records, removes the oldest one. */
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
