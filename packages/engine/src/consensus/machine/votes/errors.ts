/** The reasons for which a vote set refuses a vote. They are values, not exceptions: votes come from peers. */
export const VOTE_REFUSALS = {
  unexpectedStep: 'VOTE_UNEXPECTED_STEP',
  invalidIndex: 'VOTE_INVALID_VALIDATOR_INDEX',
  invalidAddress: 'VOTE_INVALID_VALIDATOR_ADDRESS',
  invalidSignature: 'VOTE_INVALID_SIGNATURE',
  /** The same content with another signature. */
  nonDeterministicSignature: 'VOTE_NON_DETERMINISTIC_SIGNATURE',
  missingExtension: 'VOTE_MISSING_EXTENSION_SIGNATURE',
  unexpectedExtension: 'VOTE_UNEXPECTED_EXTENSION',
  /** The application rejected the extension. */
  rejectedExtension: 'VOTE_REJECTED_EXTENSION',
  /** The peer has used its two rounds ahead of this node. */
  unwantedRound: 'VOTE_UNWANTED_ROUND',
} as const
export type VoteRefusal = (typeof VOTE_REFUSALS)[keyof typeof VOTE_REFUSALS]
