import { CodedError } from '@org/runtime'

/** What stops consensus. None of these can come from fewer than a third of faulty voting power. */
export const MACHINE_ERRORS = {
  /** +2/3 prevoted a block that this node finds invalid. */
  polkaForInvalidBlock: 'CONSENSUS_POLKA_FOR_INVALID_BLOCK',
  /** +2/3 precommitted a block that this node finds invalid. */
  committedInvalidBlock: 'CONSENSUS_COMMITTED_INVALID_BLOCK',
  /** +2/3 precommitted a block with more items than the heap of this process bears. */
  decidedTooLarge: 'CONSENSUS_DECIDED_BLOCK_TOO_LARGE',
  /** A result that nobody asked for, or of another kind than asked for. */
  unexpectedResult: 'CONSENSUS_UNEXPECTED_RESULT',
  /** The state that a commit left does not follow from the one before it. */
  stateMismatch: 'CONSENSUS_STATE_MISMATCH',
  /** The stored commit of the last block is missing or has no +2/3. */
  lastCommit: 'CONSENSUS_LAST_COMMIT',
  /** The signer returned a vote that has an extension where none may be, or none where one must be. */
  signedExtension: 'CONSENSUS_SIGNED_EXTENSION',
  /** A rule of the machine itself does not hold. */
  broken: 'CONSENSUS_BROKEN',
} as const

export type MachineErrorCode = (typeof MACHINE_ERRORS)[keyof typeof MACHINE_ERRORS]

export class MachineError extends CodedError<MachineErrorCode> {}
