import type { Clock } from '@org/runtime'
import type { RpcOptions } from '../options.ts'
import type { Ports } from '../ports/index.ts'
import type { Form } from './form.ts'
import type { Pace } from './pace.ts'
import type { JsonSchema, Param } from './params.ts'

/** The JSON form of a result, and its description. */
export interface ResultType<T> {
  /** The JSON text as the reference writes it. */
  stringify(this: void, value: T): string
  /** The value in an answer; throws for JSON of another shape. */
  readonly parse: (json: unknown) => T
  readonly schema: JsonSchema
  /** How it is put together; absent for a document's own text. */
  readonly form?: Form
}

/** A connection that can hold subscriptions. */
export interface SubscriberConnection {
  /** With `after`, first the events of the blocks after that height, from the stores. */
  readonly subscribe: (query: string, requestId: string, after: number | undefined) => void
  readonly unsubscribe: (query: string) => void
  readonly unsubscribeAll: () => void
}

export interface CallContext {
  readonly ports: Ports
  readonly options: RpcOptions
  readonly clock: Clock
  /** When calls have their turn. */
  readonly pace: Pace
  /** Counts calls. */
  readonly meter: { readonly call: (method: string) => () => void } | undefined
  /** `address:port` of the caller: its name as a subscriber. */
  readonly remoteAddress: string
  /** Aborted when the caller goes away. */
  readonly signal: () => AbortSignal
  /** Only over WebSocket. */
  readonly connection?: SubscriberConnection
  /** The id of the JSON-RPC request, as JSON. */
  readonly requestId: string
}

export type ParamShape = Readonly<Record<string, Param<unknown>>>
export type ArgsOf<P extends ParamShape> = { readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never }

/** The decoded arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>

type NoParams = Readonly<Record<never, never>>

export interface RouteDefinition<P extends ParamShape, R, X extends ParamShape = NoParams> {
  readonly name: string
  /** One line for the documents. */
  readonly summary: string
  readonly category: 'Info' | 'Tx' | 'ABCI' | 'Evidence' | 'Unsafe' | 'WebSocket'
  /** In the order of positional calls. */
  readonly params: P
  /** The parameters without which a call makes no sense. The reference takes their zero value when they are absent. */
  readonly required?: readonly (keyof P & string)[]
  /** Parameters that the reference does not have: by name only, and unknown names when strict. */
  readonly extras?: X
  readonly result: ResultType<R>
  /** Whether HTTP answers may be kept by caches: always, or when a height is given. */
  readonly cache?: 'always' | 'height'
  /** Exists only when enabled. */
  readonly unsafe?: boolean
  readonly websocketOnly?: boolean
  /** What it brings is to be in a block: it does not wait until one is made. */
  readonly isForBlock?: boolean
  /** A part of the node that it needs; without it the operation does not exist. */
  readonly needs?: readonly (keyof Ports)[]
  /** Names the answer if it can never change, given what is stored now; it is then kept as bytes. */
  readonly immutableKey?: (context: CallContext, args: ArgsOf<P>) => string | undefined
  /** That answer is of the chain as it stands now: of one that was, nobody will ask again, and it is not kept. */
  readonly isOfNow?: boolean
  /**
   * The JSON of a result that can never change in pieces, where it may be too large to be made in one go; else `undefined`,
   * and the handler is asked.
   */
  readonly slices?: (context: CallContext, args: ArgsOf<P>) => Iterable<string> | Promise<Iterable<string>> | undefined
  /** The JSON of a result in pieces, where it may be too large to be made in one go; `undefined` for a small one. */
  readonly pieces?: (result: R) => Iterable<string> | undefined
  readonly handler: (context: CallContext, args: ArgsOf<P> & ArgsOf<X>) => R | Promise<R>
}

/** A route without its types, as transports see it: they decode the arguments by the same table. */
export interface Route
  extends Omit<RouteDefinition<ParamShape, unknown, ParamShape>, 'handler' | 'immutableKey' | 'slices' | 'pieces'> {
  readonly paramNames: readonly string[]
  // Methods, which TypeScript compares leniently: a handler takes what its own parameters give.
  handler(this: void, context: CallContext, args: Arguments): unknown
  immutableKey?(this: void, context: CallContext, args: Arguments): string | undefined
  pieces?(this: void, result: unknown): Iterable<string> | undefined
  slices?(this: void, context: CallContext, args: Arguments): Iterable<string> | Promise<Iterable<string>> | undefined
}

/** A route with its types, for the client. */
export interface TypedRoute<P extends ParamShape, R, X extends ParamShape = NoParams> extends Route {
  readonly params: P
  readonly extras?: X
  readonly result: ResultType<R>
}

export function defineRoute<P extends ParamShape, R, X extends ParamShape = NoParams>(
  definition: RouteDefinition<P, R, X>,
): TypedRoute<P, R, X> {
  return { ...definition, paramNames: Object.keys(definition.params) } as TypedRoute<P, R, X>
}
