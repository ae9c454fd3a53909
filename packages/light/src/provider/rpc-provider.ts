import { isRpcFailure, RPC_CLIENT_ERRORS, type RpcClient } from '@org/rpc/client'
import { type Clock, createSystemClock, createSystemRandom, type Random } from '@org/runtime'
import { LIGHT_ERRORS, LightError } from '../errors.ts'
import { createBatchedCalls, type LightCalls, type Send } from './batched-calls.ts'
import { checkBlock } from './check-block.ts'
import { providerError } from './errors.ts'
import { createBlockFetcher } from './fetch-block.ts'
import type { Provider } from './port.ts'
import { withRetries } from './retry.ts'

/** The options of {@link createRpcProvider}. */
export interface RpcProviderOptions {
  readonly chainId: string
  /** The name for logs and errors, such as an address. */
  readonly name: string
  /** The maximum number of milliseconds for one request. Default: 5,000. */
  readonly timeoutMs?: number
  /** The maximum number of times that a request without an answer is sent. Default: 5. */
  readonly attempts?: number
}

/** A request that will be sent again after a pause. */
export interface ProviderRetry {
  /** The name of the provider. */
  readonly provider: string
  readonly error: unknown
  readonly pauseMs: number
}

/** The client, the clock and the random numbers that a provider uses. */
export interface RpcProviderModules {
  readonly client: LightCalls & Pick<RpcClient, 'broadcastEvidence'>
  readonly clock?: Clock
  readonly random?: Random
  /** Called if no answer came and the request will be sent again, so that a program can log the new attempt. */
  readonly onRetry?: (retry: ProviderRetry) => void
}

/** The maximum number of characters of a node's error text that are searched for known errors and shown. */
const MAX_TEXT = 1000

/** Finds the {@link LightError} in a chain of causes, such as the error for an answer that is too large. */
function innerLightError(error: unknown): LightError | undefined {
  let at: unknown = error
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    if (at instanceof LightError) return at
    at = at.cause
  }
  return undefined
}

/** Returns the reason in an error, without the name of the provider. */
const reasonOf = (error: Error): string =>
  error instanceof LightError && typeof error.data.reason === 'string' ? error.data.reason : error.message

const isTransient = (error: unknown): boolean =>
  innerLightError(error) === undefined && isRpcFailure(error) && error.code === RPC_CLIENT_ERRORS.transport

type Code = Parameters<typeof providerError>[0]

/**
 * Returns the code for an error of a node. Nodes send no codes for these errors, so the function recognizes them by
 * their text, as the reference's `light/provider/http` does.
 */
function codeOf(error: unknown): Code {
  const inner = innerLightError(error)
  if (inner !== undefined) return inner.code === LIGHT_ERRORS.noResponse ? inner.code : LIGHT_ERRORS.badBlock
  if (!isRpcFailure(error)) return LIGHT_ERRORS.noResponse
  if (error.code === RPC_CLIENT_ERRORS.shape) return LIGHT_ERRORS.badBlock
  const text = error.message.slice(0, MAX_TEXT)
  if (/height \d+ must be less than or equal to/.test(text)) return LIGHT_ERRORS.heightTooHigh
  return /height \d+ is not available/.test(text) ? LIGHT_ERRORS.notFound : LIGHT_ERRORS.noResponse
}

const BLOCK_MISSING: readonly Code[] = [LIGHT_ERRORS.heightTooHigh, LIGHT_ERRORS.notFound]

/**
 * Makes a provider over the RPC of a node. For a block, it calls `commit` once and `validators` for each page. These
 * calls are sent in one request if the client has `batch` and the node accepts several calls in one request. The
 * provider sends one request at a time. If no answer comes within `timeoutMs`, it sends the request again, after pauses
 * that grow as in the reference.
 */
export function createRpcProvider(
  { chainId, name, timeoutMs = 5000, attempts = 5 }: RpcProviderOptions,
  { client, clock = createSystemClock(), random = createSystemRandom(), onRetry }: RpcProviderModules,
): Provider {
  const send: Send = (request, signal) =>
    withRetries(
      {
        send: request,
        isTransient,
        signal,
        onRetry: (error, pauseMs) => onRetry?.({ provider: name, error, pauseMs }),
      },
      { timeoutMs, attempts },
      { clock, random },
    )

  const together = createBatchedCalls({
    client,
    send,
    isAboutCall: (error) => BLOCK_MISSING.includes(codeOf(error)),
  })
  const fetchBlock = createBlockFetcher(together, name)

  const provider: Provider = {
    chainId,
    name,
    lightBlock: async (height, { signal, validators } = {}) => {
      try {
        const block = await fetchBlock({ height, validators, signal })
        checkBlock(provider, height, block)
        return block
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        // This error needs no change, because it already contains the name of the provider.
        if (error instanceof LightError && error.data.provider !== undefined) throw error
        const known = isRpcFailure(error) || error instanceof DOMException || innerLightError(error) !== undefined
        const code = known ? codeOf(error) : LIGHT_ERRORS.badBlock
        const reason = reasonOf(innerLightError(error) ?? (error as Error)).slice(0, MAX_TEXT)
        throw providerError(code, { provider: name, height, reason, cause: error })
      }
    },
    reportEvidence: async (value, { signal } = {}) => {
      const evidence = { sum: { case: 'lightClientAttackEvidence', value } } as const
      await send((either) => client.broadcastEvidence({ evidence }, { signal: either }), signal)
    },
  }
  return provider
}
