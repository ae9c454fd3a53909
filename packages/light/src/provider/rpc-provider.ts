import { isRpcFailure, RPC_CLIENT_ERRORS, type RpcClient } from '@org/rpc/client'
import { type Clock, createSystemClock, createSystemRandom, type Random } from '@org/runtime'
import type { Commit, Header } from '@org/types/block'
import { type Validator, type ValidatorSet, validatorSetFromExisting } from '@org/types/validators'
import { MAX_VOTES_COUNT } from '@org/types/vote'
import { LIGHT_ERRORS, LightError } from '../errors.ts'
import { checkBlock } from './check-block.ts'
import { providerError } from './errors.ts'
import type { Provider } from './port.ts'
import { withRetries } from './retry.ts'

export interface RpcProviderOptions {
  readonly chainId: string
  /** The name for logs and errors, such as an address. */
  readonly name: string
  /** Milliseconds for one request. Default: 5,000. */
  readonly timeoutMs?: number
  /** The number of times that a request is sent if no answer comes. Default: 5. */
  readonly attempts?: number
}

/** A request that is sent again after a pause. */
export interface ProviderRetry {
  /** The name of the provider. */
  readonly provider: string
  readonly error: unknown
  readonly pauseMs: number
}

export interface RpcProviderModules {
  readonly client: Pick<RpcClient, 'commit' | 'validators' | 'broadcastEvidence'>
  readonly clock?: Clock
  readonly random?: Random
  /** Called when no answer came, before the request is sent again: for a log. */
  readonly onRetry?: (retry: ProviderRetry) => void
}

const PER_PAGE = 100
/** An application chooses the length of its hash. The client keeps many headers while it looks for a path between two. */
const MAX_APP_HASH_BYTES = 64 * 1024
/** The part of a node's error that is looked at. */
const MAX_TEXT = 1000

const wrong = (reason: string): LightError => new LightError(LIGHT_ERRORS.badBlock, reason)

/** The light error in a chain of causes, such as the one of a too large answer. */
function innerLightError(error: unknown): LightError | undefined {
  let at: unknown = error
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    if (at instanceof LightError) return at
    at = at.cause
  }
  return undefined
}

/** The reason of an error, without the name of the provider. */
const reasonOf = (error: Error): string =>
  error instanceof LightError && typeof error.data.reason === 'string' ? error.data.reason : error.message

const isTransient = (error: unknown): boolean =>
  innerLightError(error) === undefined && isRpcFailure(error) && error.code === RPC_CLIENT_ERRORS.transport

type Code = Parameters<typeof providerError>[0]

/** The texts are those of the reference's `light/provider/http`, because nodes have no codes for them. */
function codeOf(error: unknown): Code {
  if (innerLightError(error) !== undefined) return LIGHT_ERRORS.badBlock
  if (!isRpcFailure(error)) return LIGHT_ERRORS.noResponse
  if (error.code === RPC_CLIENT_ERRORS.shape) return LIGHT_ERRORS.badBlock
  const text = error.message.slice(0, MAX_TEXT)
  if (/height \d+ must be less than or equal to/.test(text)) return LIGHT_ERRORS.heightTooHigh
  return /height \d+ is not available/.test(text) ? LIGHT_ERRORS.notFound : LIGHT_ERRORS.noResponse
}

interface Signed {
  readonly header: Header
  readonly commit: Commit
}

/**
 * A provider over the RPC of a node: `commit`, then the pages of `validators`. It sends one request at a time. No
 * answer within `timeoutMs` is asked for again, with the reference's growing pauses.
 */
export function createRpcProvider(
  { chainId, name, timeoutMs = 5000, attempts = 5 }: RpcProviderOptions,
  { client, clock = createSystemClock(), random = createSystemRandom(), onRetry }: RpcProviderModules,
): Provider {
  const send = <T>(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    withRetries(
      { ask, isTransient, signal, onRetry: (error, pauseMs) => onRetry?.({ provider: name, error, pauseMs }) },
      { timeoutMs, attempts },
      { clock, random },
    )

  async function signedHeader(height: number | undefined, signal: AbortSignal | undefined): Promise<Signed> {
    const args = height === undefined ? {} : { height }
    const answer = await send((either) => client.commit(args, { signal: either }), signal)
    const { header, commit } = answer?.signedHeader ?? {}
    // A node that has no block yet answers with an empty header.
    if (header === undefined || commit === undefined) {
      throw providerError(LIGHT_ERRORS.heightTooHigh, { provider: name, height })
    }
    if (header.appHash.length > MAX_APP_HASH_BYTES) throw wrong(`the app hash has ${header.appHash.length} bytes`)
    if (commit.signatures.length > MAX_VOTES_COUNT) throw wrong(`the commit has ${commit.signatures.length} signatures`)
    return { header, commit }
  }

  /** The pages are bounded by the number of signatures, which is bounded itself. */
  async function validatorSet(height: number, count: number, signal: AbortSignal | undefined): Promise<ValidatorSet> {
    const found: Validator[] = []
    for (let page = 1; found.length < count; page++) {
      const args = { height, page, perPage: PER_PAGE }
      const { validators, total } = await send((either) => client.validators(args, { signal: either }), signal)
      if (total !== count) throw wrong(`the set has ${total} validators, and the commit ${count} signatures`)
      const expected = Math.min(PER_PAGE, count - found.length)
      if (validators.length !== expected) {
        throw wrong(`page ${page} has ${validators.length} validators in place of ${expected}`)
      }
      for (const validator of validators) found.push(validator)
    }
    return validatorSetFromExisting(found)
  }

  const provider: Provider = {
    chainId,
    name,
    lightBlock: async (height, { signal } = {}) => {
      try {
        const { header, commit } = await signedHeader(height, signal)
        if (height !== undefined && header.height !== height) throw wrong(`its height is ${header.height}`)
        const block = {
          header,
          commit,
          validators: await validatorSet(header.height, commit.signatures.length, signal),
        }
        checkBlock(provider, height, block)
        return block
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        // An error of the provider has its name already.
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
