import { isRpcFailure, RPC_CLIENT_ERRORS, type RpcClient, type RpcMethods } from '@org/rpc/client'
import { LightError } from '../errors.ts'

/**
 * The RPC methods with which light blocks are fetched from a node. `batch` sends several calls in one request. If the
 * client has no `batch`, each call is a separate request.
 */
export type LightCalls = Pick<RpcClient, 'commit' | 'validators'> & Partial<Pick<RpcClient, 'batch'>>

type Options = { readonly signal?: AbortSignal }

/** A call of `commit` or `validators`. */
export type Call<T> = (methods: Pick<RpcMethods, 'commit' | 'validators'>, options?: Options) => Promise<T>

/** Returns the answer to one call. If the call has not been sent yet, sends the call now. */
export type Answer<T> = () => Promise<T>

/** Sends a request with a time-out. Sends it again if no answer comes. */
export type Send = <T>(request: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined) => Promise<T>

export interface BatchedCallsModules {
  readonly client: LightCalls
  readonly send: Send
  /**
   * True if the error is the node's answer to one call, such as the error for a missing height. Such an answer shows
   * that the node accepts several calls in one request.
   */
  readonly isAboutCall: (error: unknown) => boolean
}

type Settled = { readonly value: unknown } | { readonly error: unknown }

const settle = (promise: Promise<unknown>): Promise<Settled> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )

function unwrap(settled: Settled): unknown {
  if ('error' in settled) throw settled.error
  return settled.value
}

const isLost = (error: unknown): boolean => isRpcFailure(error) && error.code === RPC_CLIENT_ERRORS.transport
/**
 * True if the node answered, but not with a list of replies. For example, a gateway answers with a web page, or with
 * one reply to all calls.
 */
const isUnreadable = (error: unknown): boolean =>
  isRpcFailure(error) &&
  error.code === RPC_CLIENT_ERRORS.transport &&
  error.data.answered &&
  !(error.cause instanceof LightError)

/** The maximum number of calls in one request: the reference's default (`max_request_batch_size`). */
export const MAX_BATCH = 10

/**
 * Makes a function that sends calls in one request, so that a block takes one round trip. Some gateways refuse such
 * requests: then each call is a separate request, one after the other.
 */
export function createBatchedCalls({ client, send, isAboutCall }: BatchedCallsModules) {
  let support: 'unknown' | 'yes' | 'no' = client.batch === undefined ? 'no' : 'unknown'

  const single =
    <T>(call: Call<T>, signal: AbortSignal | undefined): Answer<T> =>
    () =>
      send((either) => call(client, { signal: either }), signal)

  /** Sends all calls in one request. Returns `undefined` if the node does not accept several calls in one request. */
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

  /**
   * Sends at most {@link MAX_BATCH} calls. If the node accepts several calls in one request, all calls are sent in one
   * request.
   *
   * If the node accepts only one call per request, the first call is sent at once, because the caller always needs the
   * answer to the first call. Each other call is sent when the caller requests its answer. If only one call is given,
   * that call is also sent when the caller requests its answer.
   */
  return async <First, Other>(
    [first, ...others]: readonly [Call<First>, ...Call<Other>[]],
    signal: AbortSignal | undefined,
  ): Promise<readonly [Answer<First>, ...Answer<Other>[]]> => {
    const wasUnknown = support === 'unknown'
    const isOne = support === 'no' || others.length === 0
    const settled = isOne ? undefined : await send((either) => batch([first, ...others], either), signal)
    if (settled !== undefined) {
      support = 'yes'
      const [answer, ...rest] = settled.map((one) => async () => unwrap(one))
      return [answer as Answer<First>, ...(rest as Answer<Other>[])]
    }
    if (others.length === 0) return [single(first, signal)]
    const value = await single(first, signal)()
    // The node has answered the first call in a separate request, but not the request with all calls. So the node does
    // not accept several calls in one request.
    if (wasUnknown) support = 'no'
    return [async () => value, ...others.map((call) => single(call, signal))]
  }
}

export type BatchedCalls = ReturnType<typeof createBatchedCalls>
