import { type BlockId, SignedMsgType, type ValidatorSet, type Vote } from '@org/types'
import type { VerifySignature } from './verify.ts'
import { VoteSet } from './vote-set.ts'

/**
 * The number of rounds after the next round for which one peer may make this node keep votes; the reference's figure. A
 * peer that helps this node catch up needs two rounds: the round of the commit that the peer saw, and the round of the
 * commit in the next block.
 */
const CATCHUP_ROUNDS_PER_PEER = 2

export interface HeightVoteSetOptions {
  readonly chainId: string
  readonly height: number
  readonly validators: ValidatorSet
  readonly extended: boolean
  readonly verify: VerifySignature
}

interface RoundVotes {
  readonly prevotes: VoteSet
  readonly precommits: VoteSet
}

/**
 * All votes of a height. This node keeps the votes of rounds 0 to the next round, and of a few later rounds for each
 * peer. A peer opens a later round when it sends a vote of this round.
 */
export class HeightVoteSet {
  readonly options: HeightVoteSetOptions
  readonly #rounds = new Map<number, RoundVotes>()
  readonly #catchupRounds = new Map<string, number[]>()
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

  #open(round: number): RoundVotes {
    const { chainId, height, validators, extended, verify } = this.options
    const common = { chainId, height, round, validators, verify }
    const votes = {
      prevotes: new VoteSet({ ...common, type: SignedMsgType.prevote, extended: false }),
      precommits: new VoteSet({ ...common, type: SignedMsgType.precommit, extended }),
    }
    this.#rounds.set(round, votes)
    return votes
  }

  /**
   * Returns the vote set of the vote's round and type. If this node does not keep votes of the round yet, opens the
   * round for the peer. Returns `undefined` if the peer may open no more rounds.
   */
  setFor(vote: Vote, peerId: string): VoteSet | undefined {
    let votes = this.#rounds.get(vote.round)
    if (votes === undefined) {
      const opened = this.#catchupRounds.get(peerId) ?? []
      if (opened.length >= CATCHUP_ROUNDS_PER_PEER) return undefined
      votes = this.#open(vote.round)
      this.#catchupRounds.set(peerId, [...opened, vote.round])
    }
    return vote.type === SignedMsgType.prevote ? votes.prevotes : votes.precommits
  }

  prevotes(round: number): VoteSet | undefined {
    return this.#rounds.get(round)?.prevotes
  }

  precommits(round: number): VoteSet | undefined {
    return this.#rounds.get(round)?.precommits
  }

  /**
   * Returns false if the peer claimed another block for this round before. A claim for a round whose votes are not kept
   * is not stored.
   */
  setPeerMaj23(peerId: string, claim: { round: number; voteType: SignedMsgType; blockId: BlockId }): boolean {
    const votes = this.#rounds.get(claim.round)
    const set = claim.voteType === SignedMsgType.prevote ? votes?.prevotes : votes?.precommits
    return set?.setPeerMaj23(peerId, claim.blockId) ?? true
  }
}
