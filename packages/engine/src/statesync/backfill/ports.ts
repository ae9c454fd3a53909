import type { ValidatorSet } from '@org/types'
import type { ProvenBlock } from '../../execution/index.ts'

/** The options of a request of one header. */
export interface HeaderRequest {
  /**
   * The validators that the height probably has. If the hash of this set is in the header, the validators need not be
   * fetched from the server.
   */
  readonly validators: ValidatorSet
  readonly signal: AbortSignal
}

/** A server from which the node requests headers with their commits and validators. The server need not be trusted. */
export interface HeaderServer {
  readonly name: string
  /**
   * Resolves with the block of a height, without its transactions; with `undefined` if the server does not have the
   * block. Rejects if the server does not answer, or if its answer is too large or not well formed.
   */
  readonly blockAt: (height: number, request: HeaderRequest) => Promise<ProvenBlock | undefined>
}
