import type { RequestQuery, ResponseCheckTx, ResponseInfo, ResponseQuery } from '@org/types/abci'

/**
 * Requests to the application. A request does not wait for a block. If it fails, it rejects with a CodedError, whose
 * message the client receives.
 */
export interface AppQuery {
  /** ABCI Info with the node's own versions in the request. */
  readonly info: () => Promise<ResponseInfo>
  readonly query: (request: RequestQuery) => Promise<ResponseQuery>
  /** ABCI CheckTx that does not change the mempool. */
  readonly checkTx: (tx: Uint8Array) => Promise<ResponseCheckTx>
}
