import type { ParamShape, TypedRoute } from '../call/route.ts'
import type { ROUTES } from '../operations/table.ts'
import { withBytes } from './bytes-arguments.ts'
import { needsWebSocket, RPC_CLIENT_ERRORS, RpcClientError, refusal } from './errors.ts'
import { createForms, type Forms } from './forms.ts'
import { resultForm } from './known-members.ts'
import { METHODS, SHAPES } from './table.ts'
import type { RpcAnswer, RpcCall, RpcEvent, RpcTransport, SubscribeOptions } from './transport.ts'

type Table = typeof ROUTES

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** Integers may be given as numbers; bytes as a text, which is hex for a `hash`, and UTF-8 for `tx` and `data`. */
type Given<T> = T extends bigint ? bigint | number : T extends Uint8Array ? Uint8Array | string : T
type ArgsOf<P extends ParamShape> = {
  readonly [K in keyof P & string as CamelCase<K>]?: P[K] extends { readonly zero: infer T } ? Given<T> : never
}

type Callable = { [K in keyof Table]: Table[K] extends { readonly websocketOnly: true } ? never : K }[keyof Table]

type Method<R> =
  R extends TypedRoute<infer P, infer T>
    ? (args?: ArgsOf<P>, options?: { readonly signal?: AbortSignal }) => Promise<T>
    : never

/** One method per operation, in camel case: `client.blockResults({ height: 5 })`. */
export type RpcMethods = {
  readonly [K in Exclude<Callable, 'subscribe' | 'unsubscribe' | 'unsubscribe_all'> as CamelCase<K>]: Method<Table[K]>
}

/** A typed client of the RPC of a node. */
export interface RpcClient extends RpcMethods {
  /**
   * Runs the function `calls`, collects the RPC calls that this function makes, and sends all of them together. Over
   * HTTP, they are one batch.
   */
  readonly batch: <T extends readonly Promise<unknown>[]>(
    calls: (client: RpcMethods) => readonly [...T],
    options?: { readonly signal?: AbortSignal },
  ) => Promise<{ readonly [K in keyof T]: Awaited<T[K]> }>
  /** Yields the events that match a query, until the consumer leaves the loop or `signal` aborts. Needs a WebSocket. */
  readonly subscribe: (query: string, options?: SubscribeOptions) => AsyncIterable<RpcEvent>
  readonly close: () => void
}

type AnyArgs = Readonly<Record<string, unknown>>
type Send = (call: RpcCall, signal: AbortSignal | undefined) => Promise<RpcAnswer>

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** Each operation by its name in the RPC, with the name of its method in the client. */
const NAMES: readonly (readonly [method: string, name: string])[] = Object.keys(METHODS).map((method) => [
  method,
  camelCase(method),
])

/**
 * Returns the name of the shape for the parameters of an operation, such as `(block)`. A shape is a list of members, as
 * `table.ts` describes. The names of the shapes in `table.ts` have no parentheses, so the returned name differs from
 * all these names.
 */
const paramsOf = (method: string): string => `(${method})`

function decodeAnswer(forms: Forms, method: string, answer: RpcAnswer): unknown {
  if ('error' in answer) throw refusal(method, answer.error)
  try {
    return forms.decode(resultForm(method), answer.result)
  } catch (cause) {
    const message = `the answer to ${method} has an unexpected form: ${(cause as Error).message}`
    throw new RpcClientError(RPC_CLIENT_ERRORS.shape, message, { data: { method }, cause })
  }
}

function methodsOver(forms: Forms, send: Send): RpcMethods {
  const methods: Record<string, unknown> = {}
  for (const [method, name] of NAMES) {
    methods[name] = async (args: AnyArgs = {}, { signal }: { signal?: AbortSignal } = {}) => {
      const given = withBytes(method, METHODS[method]?.[0] ?? '', args)
      const params = forms.encode(paramsOf(method), given) as RpcCall['params']
      return decodeAnswer(forms, method, await send({ method, params }, signal))
    }
  }
  return methods as unknown as RpcMethods
}

interface Queued {
  readonly call: RpcCall
  readonly resolve: (answer: RpcAnswer) => void
  readonly reject: (error: unknown) => void
}

async function sendTogether(transport: RpcTransport, queue: readonly Queued[], signal?: AbortSignal): Promise<void> {
  try {
    const calls = queue.map(({ call }) => call)
    const answers = await transport.send(calls, signal)
    for (const [i, { resolve }] of queue.entries()) resolve(answers[i] as RpcAnswer)
  } catch (error) {
    for (const { reject } of queue) reject(error)
  }
}

/** A typed client over a transport. */
export function createRpcClient(transport: RpcTransport): RpcClient {
  const params = Object.entries(METHODS).map(([method, [shape = '']]) => [paramsOf(method), shape] as const)
  const forms = createForms({ ...SHAPES, ...Object.fromEntries(params) })
  const single: Send = async (call, signal) => (await transport.send([call], signal))[0] as RpcAnswer
  return {
    ...methodsOver(forms, single),
    batch: async (calls, { signal } = {}) => {
      const queue: Queued[] = []
      const pending = calls(
        methodsOver(forms, (call) => new Promise((resolve, reject) => void queue.push({ call, resolve, reject }))),
      )
      const results = Promise.all(pending)
      // A call may fail before the batch is sent, and then `results` rejects while this function still sends the batch.
      // Without this handler, the runtime would report an unhandled rejection. The caller still receives the error,
      // because this function returns `results`.
      results.catch(() => undefined)
      await sendTogether(transport, queue, signal)
      return results as never
    },
    subscribe: (query, options) => {
      if (transport.subscribe === undefined) throw needsWebSocket()
      return transport.subscribe(query, options)
    },
    close: transport.close,
  }
}
