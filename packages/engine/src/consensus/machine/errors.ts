import { CodedError } from '@org/runtime/errors'

/**
 * The errors that stop consensus. They occur only if validators with a third of the power or more are faulty, or if
 * this node has a fault.
 */
export const MACHINE_ERRORS = {
  /** +2/3 prevoted a block that this node finds invalid. */
  polkaForInvalidBlock: 'CONSENSUS_POLKA_FOR_INVALID_BLOCK',
  /** +2/3 precommitted a block that this node finds invalid. */
  committedInvalidBlock: 'CONSENSUS_COMMITTED_INVALID_BLOCK',
  /** +2/3 precommitted a block with more items than the heap of this process can hold. */
  decidedTooLarge: 'CONSENSUS_DECIDED_BLOCK_TOO_LARGE',
  /**
   * The machine received an unexpected input. It accepts only the result of the pending call, or, if no call is
   * pending, any input except a result.
   */
  unexpectedResult: 'CONSENSUS_UNEXPECTED_RESULT',
  /** The state after a commit does not follow from the state before it. */
  stateMismatch: 'CONSENSUS_STATE_MISMATCH',
  /** The stored commit of the last block is missing or has no +2/3. */
  lastCommit: 'CONSENSUS_LAST_COMMIT',
  /** The signer returned a vote whose extension is not allowed, or a vote that lacks a required extension. */
  signedExtension: 'CONSENSUS_SIGNED_EXTENSION',
} as const

/** A code of {@link MachineError}. */
export type MachineErrorCode = (typeof MACHINE_ERRORS)[keyof typeof MACHINE_ERRORS]

/** The error with which the consensus machine halts. */
export class MachineError extends CodedError<MachineErrorCode> {}
