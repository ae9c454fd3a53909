import { CodedError, messageOf } from '@org/runtime'

/** The reasons for which consensus stops by itself. `cause` is the underlying error. */
export const CONSENSUS_ERRORS = {
  /** The machine found a fault after which consensus must not continue. `cause` is this fault. */
  machine: 'CONSENSUS_FAILURE',
  /** The application, or the execution of a block, failed. */
  execution: 'CONSENSUS_EXECUTION_FAILED',
  /** The application's ExtendVote returned an extension that does not fit into a vote. */
  extension: 'CONSENSUS_EXTENSION_TOO_LARGE',
  store: 'CONSENSUS_STORE_FAILED',
  wal: 'CONSENSUS_WAL_FAILED',
  signer: 'CONSENSUS_SIGNER_FAILED',
  /** A bug in this program. */
  internal: 'CONSENSUS_INTERNAL',
} as const

/** A code of {@link ConsensusError}. */
export type ConsensusErrorCode = (typeof CONSENSUS_ERRORS)[keyof typeof CONSENSUS_ERRORS]

export class ConsensusError extends CodedError<ConsensusErrorCode> {}

/** Calls `run`. If `run` fails, throws a `ConsensusError` with the given code and description. */
export async function failingAs<T>(code: ConsensusErrorCode, what: string, run: () => Promise<T> | T): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof ConsensusError) throw cause
    throw new ConsensusError(code, `${what}: ${messageOf(cause)}`, { cause })
  }
}
