import { isRpcFailure, RPC_CLIENT_ERRORS, type RpcClient, type RpcMethods } from '@org/rpc/client'
import { LightError } from '../errors.ts'

/** The calls of a node that light blocks need. Without `batch`, each call is a request. */
export type LightCalls = Pick<RpcClient, 'commit' | 'validators'> & Partial<Pick<RpcClient, 'batch'>>

type Options = { readonly signal?: AbortSignal }

/** One call of a node. */
export type Call<T> = (methods: Pick<RpcMethods, 'commit' | 'validators'>, options?: Options) => Promise<T>

/** Resolves to the answer of a call. A call that was not sent together with others is sent now. */
export type Answer<T> = () => Promise<T>

/** Sends a request with a time-out, several times if no answer comes. */
export type Send = <T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined) => Promise<T>

export interface CallsTogetherModules {
  readonly client: LightCalls
  readonly send: Send
  /** True for the error of a node that answered the call itself, such as the one for a missing height. */
  readonly isAboutCall: (error: unknown) => boolean
}

type Settled = { readonly value: unknown } | { readonly error: unknown }

const settle = (promise: Promise<unknown>): Promise<Settled> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

function open(settled: Settled): unknown {
  if ('error' in settled) throw settled.error
  return settled.value
}

const isLost = (error: unknown): boolean => isRpcFailure(error) && error.code === RPC_CLIENT_ERRORS.transport
/** The answer is a page of a gateway, or one reply to all calls. */
const isUnreadable = (error: unknown): boolean =>
  isRpcFailure(error) &&
  error.code === RPC_CLIENT_ERRORS.transport &&
  error.data.answered &&
  !(error.cause instanceof LightError)

/** The calls of one request: a node of the reference takes 10 by default (`max_request_batch_size`). */
export const MOST_TOGETHER = 10

/**
 * Makes a function that sends calls in one request, so that a block takes one round trip. Some gateways refuse such
 * requests: then each call is a request, one after the other.
 */
export function createCallsTogether({ client, send, isAboutCall }: CallsTogetherModules) {
  let support: 'unknown' | 'yes' | 'no' = client.batch === undefined ? 'no' : 'unknown'

  const single =
    <T>(call: Call<T>, signal: AbortSignal | undefined): Answer<T> =>
    () =>
      send((either) => call(client, { signal: either }), signal)

  /** Returns `undefined` if the node does not take several calls in one request. */
  async function batch(calls: readonly Call<unknown>[], signal: AbortSignal): Promise<readonly Settled[] | undefined> {
    const sendAll = client.batch as NonNullable<LightCalls['batch']>
    const settled = await sendAll((methods) => calls.map((call) => settle(call(methods))), { signal })
    const [first] = settled
    if (first !== undefined && 'error' in first && isLost(first.error)) {
      if (support === 'unknown' && isUnreadable(first.error)) return undefined
      throw first.error
    }
    return settled.some((one) => !('error' in one) || isAboutCall(one.error)) ? settled : undefined
  }

  /** Sends up to {@link MOST_TOGETHER} calls. The first is needed in any case. */
  return async <First, Other>(
    [first, ...others]: readonly [Call<First>, ...Call<Other>[]],
    signal: AbortSignal | undefined,
  ): Promise<readonly [Answer<First>, ...Answer<Other>[]]> => {
    const wasUnknown = support === 'unknown'
    const isOne = support === 'no' || others.length === 0
    const settled = isOne ? undefined : await send((either) => batch([first, ...others], either), signal)
    if (settled !== undefined) {
      support = 'yes'
      const [answer, ...rest] = settled.map((one) => async () => open(one))
      return [answer as Answer<First>, ...(rest as Answer<Other>[])]
    }
    if (others.length === 0) return [single(first, signal)]
    const value = await single(first, signal)()
    // The same call alone was answered.
    if (wasUnknown) support = 'no'
    return [async () => value, ...others.map((call) => single(call, signal))]
  }
}

export type CallsTogether = ReturnType<typeof createCallsTogether>
