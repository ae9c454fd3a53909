import type { Json } from '@org/types/schema'

export interface RpcCall {
  readonly method: string
  readonly params: Readonly<Record<string, Json>>
}

/** The answer to one call. */
export type RpcAnswer = { readonly result: unknown } | { readonly error: unknown }

/** An event message, as JSON. */
export interface RpcEvent {
  readonly query: string
  /** `{ type: "tendermint/event/…", value }` */
  readonly data: { readonly type: string; readonly value: Json }
  readonly events: Readonly<Record<string, readonly string[]>>
}

/** How calls reach a node. */
export interface RpcTransport {
  /** Sends calls together; answers come in the same order. Rejects if none could be had. */
  readonly send: (calls: readonly RpcCall[], signal?: AbortSignal) => Promise<readonly RpcAnswer[]>
  /** Only over WebSocket. */
  readonly subscribe?: (query: string, signal?: AbortSignal) => AsyncIterable<RpcEvent>
  readonly close: () => void
}
