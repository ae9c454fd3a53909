/** The channels of consensus, as the reference numbers them. */
export const CHANNELS = { state: 0x20, data: 0x21, vote: 0x22, voteSetBits: 0x23 } as const

/** The maximum size of a message of each consensus channel, in bytes; the reference's figure. */
export const MAX_MESSAGE_SIZE = 1_048_576

/** The delays of the gossip of votes and parts, and the limit of invalid signatures of a peer. */
export interface ConsensusGossipOptions {
  /** Every peer is checked again after this many milliseconds, even if nothing has changed; the reference has 100. */
  readonly relookMs: number
  /**
   * Milliseconds for which a received vote or part is not passed on, because the other peers probably receive it from
   * the same sender. The reference, which checks every 100 ms, waits for 50 on average.
   */
  readonly holdMs: number
  /**
   * The maximum time, in milliseconds, for which a `HasVote` is held back. The node holds it back to send it together
   * with another message.
   */
  readonly hasVoteMs: number
  /** Milliseconds between two questions to a peer. A question asks which votes the peer has for a block with +2/3. */
  readonly queryMaj23Ms: number
  /**
   * The maximum number of invalid signatures that one peer may send before the node disconnects it. The reference has
   * no limit.
   */
  readonly maxInvalidSignatures: number
}

/** The default options of the gossip of consensus messages. */
export const DEFAULT_CONSENSUS_GOSSIP_OPTIONS: ConsensusGossipOptions = {
  relookMs: 1000,
  holdMs: 20,
  hasVoteMs: 5,
  queryMaj23Ms: 2000,
  maxInvalidSignatures: 10,
}

/**
 * The largest number of parts of a small block. If a peer has prevoted, it most likely has the whole small block, so
 * this node does not send the parts at once. If the peer lacks parts, it reports which parts it has when it sees that
 * others agree on the block. Then this node sends the missing parts at once. Without this report, the next regular
 * check sends them.
 */
export const PARTS_OF_SMALL_BLOCK = 4

/** The number of useful votes or parts after which a peer counts as good; the reference's figure. */
export const CONTRIBUTIONS_OF_GOOD_PEER = 10_000
