/** The channels of consensus, as the reference numbers them. */
export const CHANNELS = { state: 0x20, data: 0x21, vote: 0x22, voteSetBits: 0x23 } as const

/** The maximum size of a message of each consensus channel, in bytes; the reference's figure. */
export const MAX_MESSAGE_SIZE = 1_048_576

/** The delays of the gossip of votes and parts, and the limit of invalid signatures of a peer. */
export interface ConsensusGossipOptions {
  /**
   * The interval at which the node looks for data that a peer lacks, even if nothing has changed, in milliseconds. In
   * the reference it is 100 ms.
   */
  readonly relookMs: number
  /**
   * The time before a received vote or part is passed on, in milliseconds. In this time, the peer that sent it probably
   * sends it to the other peers too. In the reference this time is 50 ms on average, because the reference looks for
   * data every 100 ms.
   */
  readonly holdMs: number
  /**
   * The maximum time, in milliseconds, for which the node delays a `HasVote` message, to send it together with another
   * message.
   */
  readonly hasVoteMs: number
  /**
   * The interval between two questions to a peer (`VoteSetMaj23`), in milliseconds. A question asks which votes the
   * peer has for a block with +2/3.
   */
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
 * The maximum number of parts of a small block. If a peer has prevoted, this node assumes that the peer has the whole
 * small block, and sends no parts. When +2/3 have voted for the block, a peer that lacks parts reports which parts it
 * has. Then this node sends the missing parts at once. If the peer sends no report, this node sends the missing parts
 * at the next regular check (`relookMs`).
 */
export const PARTS_OF_SMALL_BLOCK = 4

/** The number of useful votes or parts after which a peer counts as good; the reference's figure. */
export const CONTRIBUTIONS_OF_GOOD_PEER = 10_000
