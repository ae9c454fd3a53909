/** The channels of consensus, as the reference numbers them. */
export const CHANNELS = { state: 0x20, data: 0x21, vote: 0x22, voteSetBits: 0x23 } as const

/** The reference's figure for all four channels. */
export const MAX_MESSAGE_SIZE = 1_048_576

export interface ConsensusGossipOptions {
  /** How often every peer is looked at although nothing changed, in milliseconds; the reference looks every 100. */
  readonly relookMs: number
  /** How often a peer is asked which votes it has for what has +2/3, in milliseconds. */
  readonly queryMaj23Ms: number
  /** So many votes with signatures that do not hold a peer may send. The reference counts none. */
  readonly maxInvalidSignatures: number
}

export const DEFAULT_CONSENSUS_GOSSIP_OPTIONS: ConsensusGossipOptions = {
  relookMs: 1000,
  queryMaj23Ms: 2000,
  maxInvalidSignatures: 10,
}

/** Useful votes or parts after which a peer counts as a good one; the reference's figure. */
export const CONTRIBUTIONS_OF_GOOD_PEER = 10_000
