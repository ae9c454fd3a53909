import { CodedError } from '@org/runtime/errors'

/** The codes of {@link VoteError}. */
export const VOTE_ERRORS = {
  invalid: 'VOTE_INVALID',
  address: 'VOTE_INVALID_ADDRESS',
  signature: 'VOTE_INVALID_SIGNATURE',
  extensionAbsent: 'VOTE_EXTENSION_ABSENT',
  proposal: 'PROPOSAL_INVALID',
  proposalParts: 'PROPOSAL_TOO_MANY_PARTS',
} as const

/** A code of {@link VoteError}. */
export type VoteErrorCode = (typeof VOTE_ERRORS)[keyof typeof VOTE_ERRORS]

/** An error about a vote or proposal that is not well formed, or that is not signed by the expected key. */
export class VoteError extends CodedError<VoteErrorCode> {}
