import { CodedError } from '@org/runtime/errors'

/** The codes of {@link MerkleError}. */
export const MERKLE_ERRORS = {
  proof: 'MERKLE_PROOF',
  rootMismatch: 'MERKLE_ROOT_MISMATCH',
  leafMismatch: 'MERKLE_LEAF_MISMATCH',
  operator: 'MERKLE_OPERATOR',
  keyPath: 'MERKLE_KEY_PATH',
} as const

/** A code of {@link MerkleError}. */
export type MerkleErrorCode = (typeof MERKLE_ERRORS)[keyof typeof MERKLE_ERRORS]

/** An error about a proof that does not prove its claim. */
export class MerkleError extends CodedError<MerkleErrorCode> {}
