import type { Json } from '@org/types/schema'

/** A call of a method of the RPC. */
export interface RpcCall {
  readonly method: string
  readonly params: Readonly<Record<string, Json>>
}

/** The answer to one call. */
export type RpcAnswer = { readonly result: unknown } | { readonly error: unknown }

/** An event message, as JSON. */
export interface RpcEvent {
  readonly query: string
  /** The type and the value of the event, `{ type: "tendermint/event/…", value }`. */
  readonly data: { readonly type: string; readonly value: Json }
  readonly events: Readonly<Record<string, readonly string[]>>
}

/** The options of a subscription. */
export interface SubscribeOptions {
  readonly signal?: AbortSignal
  /**
   * The events of the blocks after this height are sent first, then new events. Halley reads this option. Other nodes
   * ignore it and begin with new events.
   */
  readonly afterHeight?: number
  /** The chain to which `afterHeight` belongs. Halley refuses to resume on another chain. */
  readonly chainId?: string
  /**
   * The hash of the block at `afterHeight` in hex, or its first 8 digits or more. Halley refuses to resume after
   * another block.
   */
  readonly blockHash?: string
}

/** Sends calls to a node, and receives the answers. */
export interface RpcTransport {
  /**
   * Sends calls together. The answers have the order of the calls. Rejects if no answer came. If the signal aborts,
   * rejects with the signal's reason.
   */
  readonly send: (calls: readonly RpcCall[], signal?: AbortSignal) => Promise<readonly RpcAnswer[]>
  /** Subscribes to the events that match a query. Only the WebSocket transport has this method. */
  readonly subscribe?: (query: string, options?: SubscribeOptions) => AsyncIterable<RpcEvent>
  readonly close: () => void
}
