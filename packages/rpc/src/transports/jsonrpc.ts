import { messageOf } from '@org/runtime/errors'
import { isPanic, RPC_ERRORS } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import { batchOf, binaryOf, commonRequestOf, type RpcRequest, requestOf, scanWhole } from '../json/index.ts'
import { type Args, argumentsOfJson, isCacheable } from '../routes/arguments.ts'
import { invoke } from '../routes/invoke.ts'
import {
  CACHEABLE_HEADERS,
  emptyResponse,
  JSON_HEADERS,
  joinReplies,
  jsonResponse,
  type Reply,
  type ResultJson,
  resultReply,
} from './envelope.ts'
import { unsafeFault } from './foreign.ts'
import { callContext, type RpcService } from './service.ts'
import { panicResponse } from './uri.ts'

interface Answer {
  readonly reply: Reply
  readonly cacheable: boolean
}

/** The requests of a body: one, or a batch. */
export type Body =
  | { readonly kind: 'batch'; readonly requests: readonly RpcRequest[] }
  | { readonly kind: 'single'; readonly request: RpcRequest }
  | { readonly kind: 'broken'; readonly message: string }
  /** A batch with too many requests. They are not read. */
  | { readonly kind: 'too-many' }

/** Reads a body. A batch of more than `maxBatch` requests is `too-many`. */
export function parseBody(body: Uint8Array, maxBatch = Number.POSITIVE_INFINITY): Body {
  const text = binaryOf(body)
  const common = commonRequestOf(text)
  if (common !== undefined) return { kind: 'single', request: common }
  try {
    const raw = scanWhole(text)
    const requests = batchOf(raw, maxBatch)
    if (requests === 'too-many') return { kind: 'too-many' }
    return requests === undefined ? { kind: 'single', request: requestOf(raw) } : { kind: 'batch', requests }
  } catch (error) {
    return { kind: 'broken', message: messageOf(error) }
  }
}

function answerOne(service: RpcService, call: RpcRequest, http: HttpRequest): Answer | Promise<Answer> {
  const id = call.id as string
  const { profile, cache } = service
  const route = service.routes.get(call.method)
  if (route === undefined || route.websocketOnly === true)
    return { reply: profile.errorReply(id, 'method'), cacheable: false }
  const fault = service.options.strict ? undefined : unsafeFault(route, http)
  if (fault !== undefined) return { reply: profile.errorReply(id, 'request', fault), cacheable: false }
  let args: Args
  try {
    args = argumentsOfJson(route, call.params, service.options.strict)
  } catch (error) {
    if (isPanic(error)) throw error
    const why = `error converting json params to arguments: ${messageOf(error)}`
    return { reply: profile.errorReply(id, 'params', why), cacheable: false }
  }
  const context = callContext(service, http, id)
  // As in the reference, an answer is cacheable also when the operation failed.
  const cacheable = isCacheable(route, args)
  const finish = (result: ResultJson): Answer => ({ reply: resultReply(id, result), cacheable })
  const fail = (error: unknown): Answer => {
    if (isPanic(error)) throw error
    const isKept = cacheable && profile.cachesFailures
    return { reply: profile.errorReply(id, 'internal', messageOf(error)), cacheable: isKept }
  }
  try {
    const result = invoke(route, args, { context, cache, profile })
    return result instanceof Promise ? result.then(finish, fail) : finish(result)
  } catch (error) {
    return fail(error)
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

/** A batch whose answers have this many bytes runs no further call; the answers wait for each other in memory. */
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

async function answerBatch(
  service: RpcService,
  requests: readonly RpcRequest[],
  http: HttpRequest,
): Promise<HttpResponse> {
  const answers: Answer[] = []
  const limit = maxBatchBytes(service)
  let bytes = 0
  for (const request of requests) {
    if (request.id === undefined) continue
    const answer = bytes > limit ? beyondBatch(service, request.id, limit) : await answerOne(service, request, http)
    bytes += sizeOf(answer)
    answers.push(answer)
  }
  return respond(answers)
}

/** Answers a JSON-RPC body. Calls of a batch run one after the other. */
export function handleJsonRpc(
  service: RpcService,
  body: Body,
  http: HttpRequest,
): HttpResponse | Promise<HttpResponse> {
  const { profile } = service
  const crashed = (error: unknown): HttpResponse => panicResponse(profile, error)
  if (body.kind === 'broken') {
    return jsonResponse(500, profile.errorReply(undefined, 'parse', `error unmarshaling request: ${body.message}`))
  }
  // The handler has refused a batch that is too large.
  if (body.kind === 'too-many') return respond([])
  try {
    if (body.kind === 'batch') {
      return answerBatch(service, body.requests, http).catch(crashed)
    }
    if (body.request.id === undefined) return respond([])
    const answer = answerOne(service, body.request, http)
    return answer instanceof Promise ? answer.then(respondOne, crashed) : respondOne(answer)
  } catch (error) {
    return crashed(error)
  }
}
