import type { RequestQuery, ResponseCheckTx, ResponseInfo, ResponseQuery } from '@org/types/abci'

/** Questions to the application. They never wait behind a block; a fault is a CodedError whose message is shown. */
export interface AppQuery {
  /** ABCI Info with the node's own versions in the request. */
  readonly info: () => Promise<ResponseInfo>
  readonly query: (request: RequestQuery) => Promise<ResponseQuery>
  /** ABCI CheckTx that leaves the mempool as it is. */
  readonly checkTx: (tx: Uint8Array) => Promise<ResponseCheckTx>
}
