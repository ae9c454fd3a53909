/** The channels of consensus, as the reference numbers them. */
export const CHANNELS = { state: 0x20, data: 0x21, vote: 0x22, voteSetBits: 0x23 } as const

/** The reference's figure for all four channels. */
export const MAX_MESSAGE_SIZE = 1_048_576

export interface ConsensusGossipOptions {
  /** How often every peer is looked at although nothing changed, in milliseconds; the reference looks every 100. */
  readonly relookMs: number
  /**
   * For so long a vote or part that came from a peer is not passed on, in milliseconds: others get it from where it came from.
   * The reference, which looks every 100 ms, waits for 50 on average.
   */
  readonly holdMs: number
  /** For so long a `HasVote` waits for another message to leave with, in milliseconds. */
  readonly hasVoteMs: number
  /** How often a peer is asked which votes it has for what has +2/3, in milliseconds. */
  readonly queryMaj23Ms: number
  /** So many votes with signatures that do not hold a peer may send. The reference counts none. */
  readonly maxInvalidSignatures: number
}

export const DEFAULT_CONSENSUS_GOSSIP_OPTIONS: ConsensusGossipOptions = {
  relookMs: 1000,
  holdMs: 20,
  hasVoteMs: 5,
  queryMaj23Ms: 2000,
  maxInvalidSignatures: 10,
}

/**
 * A peer that has prevoted most likely has the whole block if it has no more parts than this. If not, it says so when it sees that
 * others agree on the block, and the slow look finds it.
 */
export const PARTS_OF_SMALL_BLOCK = 4

/** Useful votes or parts after which a peer counts as a good one; the reference's figure. */
export const CONTRIBUTIONS_OF_GOOD_PEER = 10_000
