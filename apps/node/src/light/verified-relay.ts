import { boundedFetch, LIGHT_ERRORS, type LightClient, LightError } from '@org/light'
import { createVerifiedTransport } from '@org/light/cosmjs'
import { ics23Operators } from '@org/light/ics23'
import { createHttpTransport, type RpcTransport } from '@org/rpc/client'
import type { Relay } from '@org/rpc/server'
import { type Clock, createPlaces, isCodedError, messageOf } from '@org/runtime'
import { BlockMeta, equalBlockIds, hashHeader } from '@org/types/block'
import { equalBytes } from '@org/types/bytes'
import type { Json, JsonObject } from '@org/types/schema'

export interface VerifiedRelayOptions {
  /** The address of the node that is asked. */
  readonly primary: string
  /** Milliseconds in which the primary must answer one request. */
  readonly timeoutMs: number
}

export interface VerifiedRelayModules {
  readonly light: LightClient
  readonly clock: Clock
}

/** The bounds of an answer of the primary: a block of 20 MB with small transactions fits. */
const ANSWER_BOUNDS = { maxBytes: 32 << 20, maxItems: 1_000_000 }
/** Requests that are at the primary at once, so that its answers cannot fill the memory. Further ones wait. */
const MAX_REQUESTS = 16
/** Calls in progress. Some wait for the next header, without a request. Further ones wait. */
const MAX_CALLS = 128

/** The calls of a relay, answered by the primary and verified by the light client. */
export function createVerifiedCalls(
  { primary, timeoutMs }: VerifiedRelayOptions,
  { light, clock }: VerifiedRelayModules,
): Relay['call'] {
  const http = createHttpTransport(primary, { fetch: boundedFetch(globalThis.fetch, ANSWER_BOUNDS, primary) })
  const places = createPlaces(MAX_CALLS)
  const requests = createPlaces(MAX_REQUESTS)

  /** Requests that end with the caller, or after the time. */
  function transportFor(caller: AbortSignal): RpcTransport {
    return {
      ...http,
      send: async (calls) => {
        await requests.enter(caller)
        const late = new AbortController()
        const timer = clock.after(timeoutMs, () => late.abort(noAnswer(primary, timeoutMs)))
        try {
          return await http.send(calls, AbortSignal.any([caller, late.signal]))
        } finally {
          timer.cancel()
          requests.leave()
        }
      },
    }
  }

  async function ask(method: string, params: JsonObject, signal: AbortSignal): Promise<Json> {
    const transport = transportFor(signal)
    const rpc = createVerifiedTransport({ operators: ics23Operators }, { transport, light, clock })
    const { result } = (await rpc.execute({ id: 1, method, params })) as { readonly result: Json }
    if (method === 'blockchain') await verifyMetas(result, light, signal)
    return params.prove === true || method === 'abci_query' ? result : withoutProofs(result)
  }

  return async (method, params, signal) => {
    await places.enter(signal)
    try {
      return await ask(method, params, signal)
    } catch (error) {
      throw isCodedError(error, LIGHT_ERRORS.unprovable) ? unprovable(method, error, primary) : error
    } finally {
      places.leave()
    }
  }
}

const noAnswer = (primary: string, timeoutMs: number): LightError =>
  new LightError(LIGHT_ERRORS.noResponse, `${primary} did not answer within ${timeoutMs / 1000} s: try again`)

/** The error for an answer without a proof. Its first text is for users of the library. */
function unprovable(method: string, error: Error, primary: string): LightError {
  const advice = error.message.indexOf(': ask with `unverified')
  const reason = advice < 0 ? error.message : error.message.slice(0, advice)
  const message = `${reason}: this proxy gives only answers that it can verify; ask ${primary} itself if you trust it`
  return new LightError(LIGHT_ERRORS.unprovable, message, { data: { method }, cause: error })
}

/** Checks that the headers and ids in the answer to `blockchain` are those of the chain. */
async function verifyMetas(result: Json, light: LightClient, signal: AbortSignal): Promise<void> {
  const list = (result as JsonObject | null)?.block_metas
  for (const json of Array.isArray(list) ? list : []) {
    const { header, blockId } = metaOf(json as Json)
    const trusted = await light.verifyAtHeight(header.height, { signal })
    const isTrue =
      equalBytes(hashHeader(header), hashHeader(trusted.header)) && equalBlockIds(blockId, trusted.commit.blockId)
    if (isTrue) continue
    const message = `blockchain: the header or the block id at height ${header.height} is wrong`
    throw new LightError(LIGHT_ERRORS.wrongAnswer, message, { data: { method: 'blockchain' } })
  }
}

function metaOf(json: Json): BlockMeta {
  try {
    return BlockMeta.fromJson(json)
  } catch (cause) {
    const message = `blockchain: a header is wrong: ${messageOf(cause)}`
    throw new LightError(LIGHT_ERRORS.wrongAnswer, message, { data: { method: 'blockchain' }, cause })
  }
}

/** The proofs of `tx` and `tx_search` are always fetched, and given only to callers that asked for them. */
function withoutProofs(result: Json): Json {
  if (result === null || typeof result !== 'object' || Array.isArray(result)) return result
  const { proof: _proof, ...rest } = result as JsonObject
  const { txs } = rest
  return Array.isArray(txs) ? { ...rest, txs: txs.map((tx: Json) => withoutProofs(tx)) } : rest
}
