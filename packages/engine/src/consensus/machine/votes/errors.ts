/** The reasons for which a vote set refuses a vote. They are values, not exceptions: votes come from peers. */
export const VOTE_REFUSALS = {
  unexpectedStep: 'VOTE_UNEXPECTED_STEP',
  invalidIndex: 'VOTE_INVALID_VALIDATOR_INDEX',
  invalidAddress: 'VOTE_INVALID_VALIDATOR_ADDRESS',
  invalidSignature: 'VOTE_INVALID_SIGNATURE',
  /** The validator signed the same content before, with another signature. */
  nonDeterministicSignature: 'VOTE_NON_DETERMINISTIC_SIGNATURE',
  missingExtension: 'VOTE_MISSING_EXTENSION_SIGNATURE',
  unexpectedExtension: 'VOTE_UNEXPECTED_EXTENSION',
  /** The application rejected the extension. */
  rejectedExtension: 'VOTE_REJECTED_EXTENSION',
  /** The vote is for a later round, and the peer has already opened both of the later rounds that it may open. */
  unwantedRound: 'VOTE_UNWANTED_ROUND',
} as const

/** The code of the reason for which a vote set refuses a vote. */
export type VoteRefusal = (typeof VOTE_REFUSALS)[keyof typeof VOTE_REFUSALS]

/** The description of each refusal, for people. */
export const VOTE_REFUSAL_REASONS: { readonly [Code in VoteRefusal]: string } = {
  VOTE_UNEXPECTED_STEP: 'the vote is for another height, round or type',
  VOTE_INVALID_VALIDATOR_INDEX: 'no validator has the index of the vote',
  VOTE_INVALID_VALIDATOR_ADDRESS: 'the validator at the index of the vote has another address',
  VOTE_INVALID_SIGNATURE: 'invalid signature',
  VOTE_NON_DETERMINISTIC_SIGNATURE: 'the validator signed the same vote before, with another signature',
  VOTE_MISSING_EXTENSION_SIGNATURE: 'the signature of the vote extension is missing',
  VOTE_UNEXPECTED_EXTENSION: 'vote extensions are not enabled at this height',
  VOTE_REJECTED_EXTENSION: 'the application rejected the vote extension',
  VOTE_UNWANTED_ROUND: 'the peer has already sent votes of two later rounds, which is the maximum',
}
