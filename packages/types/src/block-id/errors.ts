import { CodedError } from '@org/runtime/errors'

/** The codes of {@link BlockError}. */
export const BLOCK_ERRORS = {
  header: 'BLOCK_HEADER_INVALID',
  blockId: 'BLOCK_ID_INVALID',
  commit: 'BLOCK_COMMIT_INVALID',
  evidence: 'BLOCK_EVIDENCE_INVALID',
  hashMismatch: 'BLOCK_HASH_MISMATCH',
  maxBytes: 'BLOCK_MAX_BYTES_TOO_SMALL',
  dataSize: 'BLOCK_DATA_TOO_LARGE',
  medianTime: 'BLOCK_MEDIAN_TIME',
  part: 'PART_INVALID',
  partIndex: 'PART_UNEXPECTED_INDEX',
  partProof: 'PART_INVALID_PROOF',
  partSet: 'PART_SET_INCOMPLETE',
  txProof: 'TX_PROOF_INVALID',
} as const

/** A code of {@link BlockError}. */
export type BlockErrorCode = (typeof BLOCK_ERRORS)[keyof typeof BLOCK_ERRORS]

/** An error about a block, or about a header, commit, block id or other content of a block, that is invalid. */
export class BlockError extends CodedError<BlockErrorCode> {}

/** Runs a check, and adds a prefix to its error, as Go wraps errors. */
export function wrapBlockError(code: BlockErrorCode, prefix: string, check: () => void): void {
  try {
    check()
  } catch (cause) {
    throw new BlockError(code, `${prefix}: ${(cause as Error).message}`, { cause })
  }
}
