import { LIGHT_ERRORS, type LightClient, type LightClientModules, LightError } from '@org/light'
import { createVerifiedTransport } from '@org/light/cosmjs'
import { ics23Operators } from '@org/light/ics23'
import { isRpcFailure, RPC_CLIENT_ERRORS, RpcClientError } from '@org/rpc/client'
import type { Relay } from '@org/rpc/server'
import { type Clock, createSemaphore, isCodedError, type Logger, messageOf, withTimeLimit } from '@org/runtime'
import { BlockMeta, equalBlockIds, hashHeader } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { Json, JsonObject } from '@org/types/schema'
import type { BackwardsClient } from './backwards-client.ts'
import { LIGHT_PROXY_ERRORS, LightProxyError, textFor } from './errors.ts'
import type { NodeError, Primary } from './primary.ts'
import { createVerifiedCommits } from './verified-commits.ts'

export interface VerifiedRelayOptions {
  /** The time limit of a call, in milliseconds. */
  readonly callMs: number
}

export interface VerifiedRelayModules extends Pick<LightClientModules, 'findInvalid'> {
  readonly light: BackwardsClient
  readonly primary: Primary
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * The maximum number of calls in progress, including the calls that only wait for the next header. Further calls wait.
 */
const MAX_CALLS = 128

/**
 * Creates the function that answers the calls of clients. The primary gives the answers, and the light client verifies
 * them.
 */
export function createVerifiedCalls(
  { callMs }: VerifiedRelayOptions,
  { light, primary, clock, logger, findInvalid }: VerifiedRelayModules,
): Relay['call'] {
  const semaphore = createSemaphore(MAX_CALLS)
  const commitAt = createVerifiedCommits({ light, logger, ...(findInvalid && { findInvalid }) })

  async function callVerified(method: string, params: JsonObject, signal: AbortSignal): Promise<Json> {
    if (method === 'commit') return commitAt(params.height === undefined ? undefined : Number(params.height), signal)
    let refusal: NodeError | undefined
    const onError = (error: NodeError): void => {
      refusal = error
    }
    const transport = primary.transport({ signal, onError })
    const rpc = createVerifiedTransport({ operators: ics23Operators }, { transport, light, clock })
    try {
      const { result } = (await rpc.execute({ id: 1, method, params })) as { readonly result: Json }
      if (method === 'blockchain') await verifyMetas(result, params, { light, signal })
      return params.prove !== true && WITH_PROOFS.has(method) ? withoutProofs(result) : result
    } catch (error) {
      if (refusal === undefined || !isCodedError(error, RPC_CLIENT_ERRORS.refused)) throw error
      throw new LightProxyError(LIGHT_PROXY_ERRORS.refused, refusal.text, { data: { method }, cause: error })
    }
  }

  async function inTurn(method: string, params: JsonObject, signal: AbortSignal): Promise<Json> {
    await semaphore.acquire(signal)
    try {
      return await callVerified(method, params, signal)
    } finally {
      semaphore.release()
    }
  }

  return async (method, params, caller) => {
    const limit = { clock, ms: callMs, late: () => tooLate(method, callMs), signal: caller }
    try {
      return await withTimeLimit(limit, (signal) => inTurn(method, params, signal))
    } catch (error) {
      if (caller.aborted) throw error
      throw forClient(method, error, primary)
    }
  }
}

/** Returns the error with its code in the text, because clients receive only the text. */
function forClient(method: string, error: unknown, primary: Primary): unknown {
  if (isCodedError(error, LIGHT_ERRORS.unprovable)) {
    const message = textFor(new LightError(LIGHT_ERRORS.unprovable, unprovableText(error, primary)))
    return new LightError(LIGHT_ERRORS.unprovable, message, { data: { method }, cause: error })
  }
  if (error instanceof LightProxyError) {
    return new LightProxyError(error.code, textFor(error), { data: { method }, cause: error })
  }
  if (error instanceof LightError) return new LightError(error.code, textFor(error), { data: error.data, cause: error })
  if (isRpcFailure(error)) return new RpcClientError(error.code, textFor(error), { data: { method }, cause: error })
  return error
}

function tooLate(method: string, callMs: number): LightProxyError {
  const message = `${method} was not verified within ${callMs / 1000} s: try again, because verified headers are kept; if this happens often, name witnesses that are not behind`
  return new LightProxyError(LIGHT_PROXY_ERRORS.late, message, { data: { method } })
}

/**
 * Returns the error text for an answer that has no proof. The text of `@org/light` ends with advice for programmers.
 * Clients of the proxy cannot follow this advice, so the returned text has other advice.
 */
function unprovableText({ message }: Error, primary: Primary): string {
  const advice = message.indexOf(': ask with `unverified')
  const reason = advice < 0 ? message : message.slice(0, advice)
  return `${reason}: this proxy gives only answers that it can verify; ask ${primary.address()} itself if you trust it`
}

function wrongMetas(reason: string, cause?: unknown): LightError {
  const message = `the answer to blockchain is wrong: ${reason}. Ask another node`
  return new LightError(LIGHT_ERRORS.wrongAnswer, message, { data: { method: 'blockchain', reason }, cause })
}

interface Verifying {
  readonly light: LightClient
  readonly signal: AbortSignal
}

/**
 * Checks the answer to `blockchain`. Its headers and block ids must belong to the verified chain. Its heights must be
 * in the requested range, in descending order and without a gap.
 */
async function verifyMetas(result: Json, params: JsonObject, { light, signal }: Verifying): Promise<void> {
  const list = (result as JsonObject | null)?.block_metas ?? []
  if (!Array.isArray(list)) throw wrongMetas('block_metas is no list')
  const [lowest, highest] = [Number(params.minHeight ?? 0), Number(params.maxHeight ?? 0)]
  let before: number | undefined
  for (const json of list) {
    const { header, blockId } = metaOf(json as Json)
    const { height } = header
    if (height < Math.max(1, lowest) || (highest > 0 && height > highest))
      throw wrongMetas(`height ${height} is not in the requested range`)
    if (before !== undefined && height !== before - 1)
      throw wrongMetas(`the header after height ${before} has height ${height}, not ${before - 1}`)
    before = height
    const trusted = await light.verifyAtHeight(height, { signal })
    const isTrue =
      equalBytes(hashHeader(header), hashHeader(trusted.header)) && equalBlockIds(blockId, trusted.commit.blockId)
    if (!isTrue) throw wrongMetas(`the header or the block id at height ${height} differs from the verified header`)
  }
}

function metaOf(json: Json): BlockMeta {
  try {
    return BlockMeta.fromJson(json)
  } catch (cause) {
    throw wrongMetas(messageOf(cause), cause)
  }
}

/** The operations whose results have proofs. */
const WITH_PROOFS: ReadonlySet<string> = new Set(['tx', 'tx_search'])

/** Returns the answer to `tx` or `tx_search` without its proofs, for a client that did not ask for proofs. */
function withoutProofs(result: Json): Json {
  if (result === null || typeof result !== 'object' || Array.isArray(result)) return result
  const { proof: _proof, ...rest } = result as JsonObject
  const { txs } = rest
  return Array.isArray(txs) ? { ...rest, txs: txs.map((tx: Json) => withoutProofs(tx)) } : rest
}
