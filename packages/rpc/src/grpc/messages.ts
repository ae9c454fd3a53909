import { ExecTxResult, ResponseCheckTx } from '@org/types/abci'
import { bytes, field, type MessageSchema, message, optional } from '@org/types/schema'

/** The messages of the reference's `proto/tendermint/rpc/grpc/types.proto`. */
export type RequestPing = Readonly<Record<never, never>>
export const RequestPing: MessageSchema<RequestPing> = message('tendermint.rpc.grpc.RequestPing', {})

export type ResponsePing = Readonly<Record<never, never>>
export const ResponsePing: MessageSchema<ResponsePing> = message('tendermint.rpc.grpc.ResponsePing', {})

export interface RequestBroadcastTx {
  readonly tx: Uint8Array
}
export const RequestBroadcastTx: MessageSchema<RequestBroadcastTx> = message('tendermint.rpc.grpc.RequestBroadcastTx', {
  tx: field(1, bytes),
})

export interface ResponseBroadcastTx {
  readonly checkTx: ResponseCheckTx | undefined
  readonly txResult: ExecTxResult | undefined
}
export const ResponseBroadcastTx: MessageSchema<ResponseBroadcastTx> = message(
  'tendermint.rpc.grpc.ResponseBroadcastTx',
  { checkTx: optional(1, ResponseCheckTx), txResult: optional(2, ExecTxResult) },
)
