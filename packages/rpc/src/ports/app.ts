import type { RequestQuery, ResponseCheckTx, ResponseInfo, ResponseQuery } from '@org/types/abci'

/**
 * Requests to the application. They never wait for a block. A fault is a CodedError whose message the client receives.
 */
export interface AppQuery {
  /** ABCI Info with the node's own versions in the request. */
  readonly info: () => Promise<ResponseInfo>
  readonly query: (request: RequestQuery) => Promise<ResponseQuery>
  /** ABCI CheckTx that does not change the mempool. */
  readonly checkTx: (tx: Uint8Array) => Promise<ResponseCheckTx>
}
