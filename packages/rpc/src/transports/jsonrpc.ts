import { messageOf } from '@org/runtime/errors'
import { type Args, argumentsOfJson, isCacheable } from '../call/arguments.ts'
import {
  CACHEABLE_HEADERS,
  emptyResponse,
  JSON_HEADERS,
  joinReplies,
  jsonResponse,
  type Reply,
  resultReply,
} from '../call/envelope.ts'
import { invoke } from '../call/invoke.ts'
import type { Route } from '../call/route.ts'
import { whileConnected } from '../call/while-connected.ts'
import { isPanic, RPC_ERRORS } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import type { Body, RpcRequest } from '../json/index.ts'
import { unsafeFault } from '../middleware/cross-site-requests.ts'
import { callContext, type RpcService } from '../service.ts'
import { panicResponse } from './uri.ts'

interface Answer {
  readonly reply: Reply
  readonly cacheable: boolean
}

async function answerOne(service: RpcService, call: RpcRequest, http: HttpRequest): Promise<Answer> {
  const id = call.id as string
  const { profile } = service
  const route = service.routes.get(call.method)
  if (route === undefined || route.websocketOnly === true)
    return { reply: profile.errorReply(id, 'method'), cacheable: false }
  const fault = service.options.strict ? undefined : unsafeFault(route, http)
  if (fault !== undefined) return { reply: profile.errorReply(id, 'request', fault), cacheable: false }
  const answer = (): Promise<Answer> => answerWith(service, { ...call, id, route }, http)
  return route.isOneByOne === true ? whileConnected(service.oneByOne, answer, http.signal()) : answer()
}

interface KnownCall extends RpcRequest {
  readonly id: string
  readonly route: Route
}

async function answerWith(service: RpcService, call: KnownCall, http: HttpRequest): Promise<Answer> {
  const { id, route } = call
  const { profile, cache } = service
  let args: Args
  try {
    args = argumentsOfJson(route, call.params, service.options.strict)
  } catch (error) {
    if (isPanic(error)) throw error
    const why = `error converting json params to arguments: ${messageOf(error)}`
    return { reply: profile.errorReply(id, 'params', why), cacheable: false }
  }
  const context = callContext(service, http, id)
  // HTTP caches may keep the answer even if the operation fails, as in the reference. If `cachesFailures` of the
  // profile is false, they may not keep the answer of a failed operation.
  const cacheable = isCacheable(route, args)
  try {
    const result = await invoke(route, args, { context, cache, profile })
    return { reply: resultReply(id, result), cacheable }
  } catch (error) {
    if (isPanic(error)) throw error
    const isKept = cacheable && profile.cachesFailures
    return { reply: profile.errorReply(id, 'internal', messageOf(error)), cacheable: isKept }
  }
}

function respond(answers: readonly Answer[]): HttpResponse {
  if (answers.length === 0) return emptyResponse(200)
  const headers = answers.every(({ cacheable }) => cacheable) ? CACHEABLE_HEADERS : JSON_HEADERS
  return jsonResponse(200, joinReplies(answers.map(({ reply }) => reply)), headers)
}

function respondOne({ reply, cacheable }: Answer): HttpResponse {
  return jsonResponse(200, reply, cacheable ? CACHEABLE_HEADERS : JSON_HEADERS)
}

/**
 * Returns the limit for the answers of one batch, in bytes. All answers of a batch stay in memory until the last one is
 * ready. When they exceed this limit, no further call of the batch runs.
 */
function maxBatchBytes({ options }: RpcService): number {
  return options.maxUnreadBytes / 4
}

function sizeOf({ reply }: Answer): number {
  return reply.reduce((sum, part) => sum + part.length, 0)
}

function beyondBatch({ profile }: RpcService, id: string, limit: number): Answer {
  const why = `${RPC_ERRORS.memory}: the answers to the calls before this one in the batch have more than ${limit} bytes; send this call in a request of its own`
  return { reply: profile.errorReply(id, 'server', why), cacheable: false }
}

const NO_BODY = new Uint8Array(0)

/**
 * Runs the rest of a batch whose client has disconnected. The reference runs all calls of the batch. This node runs
 * only the calls that send transactions, because no client reads the answers. If the batches without a client have too
 * many bytes, drops the rest of this batch.
 */
async function sendRest(service: RpcService, rest: readonly RpcRequest[], http: HttpRequest): Promise<void> {
  const leave = service.leftBatches.enter(http.body.length + (http.headSize ?? 0))
  if (leave === undefined) return
  try {
    for (const request of rest) {
      const isTransaction = service.routes.get(request.method)?.isForBlock === true
      // If the body is large, a call ends at once when its client is gone. So the call gets an empty body.
      if (request.id !== undefined && isTransaction) await answerOne(service, request, { ...http, body: NO_BODY })
    }
  } finally {
    leave()
  }
}

async function answerBatch(
  service: RpcService,
  requests: readonly RpcRequest[],
  http: HttpRequest,
): Promise<HttpResponse> {
  const answers: Answer[] = []
  const limit = maxBatchBytes(service)
  let bytes = 0
  for (const [index, request] of requests.entries()) {
    if (request.id === undefined) continue
    if (http.signal().aborted) {
      await sendRest(service, requests.slice(index), http)
      return respond([])
    }
    const answer = bytes > limit ? beyondBatch(service, request.id, limit) : await answerOne(service, request, http)
    bytes += sizeOf(answer)
    http.grew?.(sizeOf(answer))
    answers.push(answer)
  }
  return respond(answers)
}

/** Answers a JSON-RPC body. Calls of a batch run one after the other. */
export async function handleJsonRpc(service: RpcService, body: Body, http: HttpRequest): Promise<HttpResponse> {
  const { profile } = service
  if (body.kind === 'broken') {
    return jsonResponse(500, profile.errorReply(undefined, 'parse', `error unmarshaling request: ${body.message}`))
  }
  // The handler refuses a batch that is too large before it calls this function.
  if (body.kind === 'too-many') return respond([])
  try {
    if (body.kind === 'batch') return await answerBatch(service, body.requests, http)
    if (body.request.id === undefined) return respond([])
    return respondOne(await answerOne(service, body.request, http))
  } catch (error) {
    return panicResponse(profile, error)
  }
}
