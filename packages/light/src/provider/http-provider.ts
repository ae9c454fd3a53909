import { createHttpTransport, createRpcClient, type HttpFetch, type RpcTransport } from '@org/rpc/client'
import type { Clock, Random } from '@org/runtime'
import { type AnswerBounds, boundedFetch } from './bounded-fetch.ts'
import type { Provider } from './port.ts'
import { createRpcProvider, type RpcProviderModules, type RpcProviderOptions } from './rpc-provider.ts'

/** The options of {@link createHttpProvider}. */
export interface HttpProviderOptions extends Omit<RpcProviderOptions, 'name'> {
  /** The address of a node's RPC. An address without a scheme, or with `tcp://`, is used with `http://`. */
  readonly url: string
  /** The maximum number of bytes of an answer. Default: 8 MiB, more than a commit with 10,000 signatures. */
  readonly maxAnswerBytes?: number
}

/** The functions, the clock and the random numbers that a provider over HTTP uses. */
export interface HttpProviderModules extends Pick<RpcProviderModules, 'onRetry'> {
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /**
   * Makes the function that sends requests to a provider. The function must stop reading an answer that exceeds
   * `bounds`. Default: a function that uses `fetch`.
   */
  readonly createFetch?: (bounds: AnswerBounds, provider: string) => HttpFetch
  /**
   * Receives the transport over HTTP, and returns the transport that the provider uses for its calls. For example, the
   * returned transport may keep answers. Default: the provider uses the transport over HTTP.
   */
  readonly wrapTransport?: (transport: RpcTransport) => RpcTransport
  readonly clock?: Clock
  readonly random?: Random
}

const MAX_ANSWER_BYTES = 8 << 20
/** The maximum number of values in an answer: twice as many as in the JSON of a commit with 10,000 signatures. */
const MAX_ANSWER_ITEMS = 100_000

const addressOf = (url: string): string => (url.includes('://') ? url.replace(/^tcp:\/\//, 'http://') : `http://${url}`)

/** Makes a provider over the HTTP RPC of a node. See {@link createRpcProvider}. */
export function createHttpProvider(
  { url, maxAnswerBytes = MAX_ANSWER_BYTES, ...options }: HttpProviderOptions,
  {
    fetch: ask = globalThis.fetch,
    createFetch = (bounds, provider) => boundedFetch(ask, bounds, provider),
    wrapTransport = (transport) => transport,
    ...modules
  }: HttpProviderModules = {},
): Provider {
  const name = addressOf(url)
  const transport = createHttpTransport(name, {
    fetch: createFetch({ maxBytes: maxAnswerBytes, maxItems: MAX_ANSWER_ITEMS }, name),
  })
  return createRpcProvider({ ...options, name }, { ...modules, client: createRpcClient(wrapTransport(transport)) })
}
