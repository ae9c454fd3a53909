import type { Clock } from '@org/runtime'
import type { RpcOptions } from '../options.ts'
import type { Ports } from '../ports/index.ts'
import type { Pace } from './call-pace.ts'
import type { LargeAnswers } from './large-answers.ts'
import type { JsonSchema, Param } from './params.ts'
import type { Form } from './type-structure.ts'

/**
 * Describes the result of an operation: has the functions that write the result as JSON and read it from JSON, and the
 * JSON Schema of the result.
 */
export interface ResultType<T> {
  /** Returns the JSON text of the result, as the reference writes it. */
  stringify(this: void, value: T): string
  /** Reads the value from an answer; throws for JSON of another shape. */
  readonly parse: (json: unknown) => T
  readonly schema: JsonSchema
  /** The structure of the result; absent if the result is text and not JSON with members. */
  readonly form?: Form
}

/** A connection that can hold subscriptions. */
export interface SubscriberConnection {
  /**
   * Subscribes to a query. If `after` is given, the connection first sends the stored events of the blocks above the
   * height `after`, and then new events.
   */
  readonly subscribe: (query: string, requestId: string, after: number | undefined) => void
  readonly unsubscribe: (query: string) => void
  readonly unsubscribeAll: () => void
}

export interface CallContext {
  readonly ports: Ports
  readonly options: RpcOptions
  readonly clock: Clock
  /** Decides when the work of each call runs. */
  readonly pace: Pace
  /** Limits the number of large answers that are made at the same time. */
  readonly answers: LargeAnswers
  /** Counts the calls, for metrics. Absent: there are no metrics. */
  readonly meter: { readonly call: (method: string) => () => void } | undefined
  /** The `address:port` of the caller. The event bus uses the same text as the name of the subscriber. */
  readonly remoteAddress: string
  /** Aborted when the caller disconnects. */
  readonly signal: () => AbortSignal
  /** True if the request is so large that the node must release it as soon as its client disconnects. */
  readonly isLarge: boolean
  /** The connection of the caller. Present only for calls over WebSocket. */
  readonly connection?: SubscriberConnection
  /** The id of the JSON-RPC request, as JSON. */
  readonly requestId: string
  /** Returns why the caller may not control a devnet; `undefined` if the caller may control it. */
  readonly controlFault: () => string | undefined
}

/**
 * The context of a call. `N` names the parts of the node that the operation needs, so they are present in `ports`. `W`
 * is true if the operation exists only over WebSocket; `connection` is then present.
 */
export type ContextWith<N extends keyof Ports, W extends boolean = false> = CallContext & {
  readonly ports: Required<Pick<Ports, N>>
} & (W extends true ? Required<Pick<CallContext, 'connection'>> : unknown)

export type ParamShape = Readonly<Record<string, Param<unknown>>>
export type ArgsOf<P extends ParamShape> = { readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never }

/** The decoded arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>

type NoParams = Readonly<Record<never, never>>

export interface RouteDefinition<
  P extends ParamShape,
  R,
  X extends ParamShape = NoParams,
  N extends keyof Ports = never,
  W extends boolean = false,
> {
  readonly name: string
  /** The one-line description of the operation in the documents. */
  readonly summary: string
  readonly category: 'Info' | 'Tx' | 'ABCI' | 'Evidence' | 'Unsafe' | 'WebSocket' | 'Devnet'
  /** The parameters. Their order is that of the arguments of a positional call. */
  readonly params: P
  /**
   * The parameters that the API documents describe as required. The reference accepts a call by name without them, and
   * uses their zero values.
   */
  readonly required?: readonly (keyof P & string)[]
  /** Parameters that the reference does not have. They are passed by name only; a strict node does not have them. */
  readonly extras?: X
  readonly result: ResultType<R>
  /**
   * `always`: HTTP caches may keep each answer. `height`: they may keep the answer only if the caller gave a height.
   * Absent: they may keep no answer.
   */
  readonly cache?: 'always' | 'height'
  /** True if the operation exists only when unsafe operations are enabled. */
  readonly unsafe?: boolean
  readonly websocketOnly?: W
  /**
   * True if the reference does not have the operation. A strict node does not have it either, and the page at `/`,
   * which is the reference's, does not list it.
   */
  readonly own?: boolean
  /**
   * True if the call sends data for a block, such as a transaction. Such a call does not wait while a block is made.
   */
  readonly isForBlock?: boolean
  /**
   * True if the decoded arguments may take many times the memory of their text. The calls of this operation are decoded
   * and run one after the other. A call that waits is not decoded yet, so it holds only the text of its arguments.
   */
  readonly isOneByOne?: boolean
  /**
   * The parts of the node that the operation needs. If one of them is absent, the operation does not exist. The
   * functions of the operation receive these parts in `ports`.
   */
  readonly needs?: readonly N[]
  /**
   * Returns the key under which the cache keeps the bytes of the answer. The key must contain everything on which the
   * answer depends: all answers with the same key are the same. Returns `undefined` if the answer must not be cached.
   */
  readonly immutableKey?: (context: ContextWith<N>, args: ArgsOf<P>) => string | undefined
  /**
   * True if the answer is about the latest state. Its cache key then changes with each new block, and an answer with an
   * older key is never used again. So the cache keeps only the newest answer of the operation.
   */
  readonly isOfNow?: boolean
  /**
   * Returns, in pieces, the JSON of a result that can never change and may be too large to be made at once. Returns
   * `undefined` for any other result; then the handler is called.
   */
  readonly slices?: (context: ContextWith<N>, args: ArgsOf<P>) => Promise<Iterable<string>> | undefined
  /**
   * Returns, in pieces, the JSON of a result that may be too large to be made at once; `undefined` for a small result.
   */
  readonly pieces?: (result: R) => Iterable<string> | undefined
  readonly handler: (context: ContextWith<N, W>, args: ArgsOf<P> & ArgsOf<X>) => R | Promise<R>
}

/**
 * A route as the transports use it: without the types of its arguments and its result. A transport decodes the
 * arguments with `params`.
 */
export interface Route
  extends Omit<
    RouteDefinition<ParamShape, unknown, ParamShape, keyof Ports, boolean>,
    'handler' | 'immutableKey' | 'slices' | 'pieces'
  > {
  readonly paramNames: readonly string[]
  // These members are methods and not properties, because TypeScript compares the parameters of methods less strictly.
  // Each handler declares the types of its own arguments. With properties, TypeScript would therefore refuse every
  // handler.
  handler(this: void, context: CallContext, args: Arguments): unknown
  immutableKey?(this: void, context: CallContext, args: Arguments): string | undefined
  pieces?(this: void, result: unknown): Iterable<string> | undefined
  slices?(this: void, context: CallContext, args: Arguments): Promise<Iterable<string>> | undefined
}

/**
 * A route with the TypeScript types of its arguments and its result. The client derives the types of its methods from
 * them.
 */
export interface TypedRoute<P extends ParamShape, R, X extends ParamShape = NoParams> extends Route {
  readonly params: P
  readonly extras?: X
  readonly result: ResultType<R>
}

export function defineRoute<
  P extends ParamShape,
  R,
  X extends ParamShape = NoParams,
  N extends keyof Ports = never,
  W extends boolean = false,
>(definition: RouteDefinition<P, R, X, N, W>): TypedRoute<P, R, X> {
  return { ...definition, paramNames: Object.keys(definition.params) } as TypedRoute<P, R, X>
}
