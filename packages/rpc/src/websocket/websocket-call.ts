import { messageOf } from '@org/runtime/errors'
import { type Args, argumentsOfJson } from '../call/arguments.ts'
import { type Reply, type ResultJson, resultReply } from '../call/envelope.ts'
import { invoke } from '../call/invoke.ts'
import type { Profile } from '../call/profile.ts'
import type { Route } from '../call/route.ts'
import { LARGE_REQUEST, whileConnected } from '../call/while-connected.ts'
import { isOfReflect, isPanic } from '../errors.ts'
import { type Binary, commonRequestOf, type RpcRequest, requestOf, scanFirst } from '../json/index.ts'
import { RATE_LIMITED } from '../middleware/rate-limit.ts'
import { isAlwaysAnswered, SHORT_OF_MEMORY } from '../middleware/refuse-when-short.ts'
import { type Caller, callContext, type RpcService } from '../service.ts'

/** The answer to a message of a WebSocket; nothing for a notification. */
export function answerMessage(
  service: RpcService,
  caller: Caller,
  text: Binary,
): Reply | undefined | Promise<Reply | undefined> {
  if (text.length < LARGE_REQUEST) return answerNow(service, caller, text)
  return whileConnected(service.pace.run, () => answerNow(service, { ...caller, body: text }, text), caller.signal())
}

function answerNow(service: RpcService, caller: Caller, text: Binary): Reply | undefined | Promise<Reply | undefined> {
  let request: RpcRequest
  try {
    request = commonRequestOf(text) ?? requestOf(scanFirst(text))
  } catch (error) {
    return service.profile.errorReply(undefined, 'parse', `error unmarshaling request: ${messageOf(error)}`)
  }
  if (request.id === undefined) return undefined
  return answerCall(service, caller, request)
}

function answerCall(service: RpcService, caller: Caller, request: RpcRequest): Reply | Promise<Reply> {
  const { method, params } = request
  const id = request.id as string
  const { profile } = service
  if (service.memory.isShort() && !isAlwaysAnswered(method)) {
    service.memory.refused()
    return profile.errorReply(id, 'server', SHORT_OF_MEMORY)
  }
  if (service.rateLimit?.tryTake(caller.remoteAddress, [method]) === false)
    return profile.errorReply(id, 'server', RATE_LIMITED)
  const route = service.routes.get(method)
  if (route === undefined) return profile.errorReply(id, 'method')
  const answer = (): Reply | Promise<Reply> => answerWith(service, caller, { id, params, route })
  return route.isOneByOne === true ? whileConnected(service.oneByOne, answer, caller.signal()) : answer()
}

interface KnownCall {
  readonly id: string
  readonly params: Binary
  readonly route: Route
}

function answerWith(service: RpcService, caller: Caller, { id, params, route }: KnownCall): Reply | Promise<Reply> {
  const { profile, cache } = service
  let args: Args
  try {
    args = argumentsOfJson(route, params, service.options.strict)
  } catch (error) {
    if (isPanic(error)) return panicReply(profile, error)
    return profile.errorReply(id, 'internal', `error converting json params to arguments: ${messageOf(error)}`)
  }
  const finish = (result: ResultJson): Reply => resultReply(id, result)
  const fail = (error: unknown): Reply =>
    isPanic(error) ? panicReply(profile, error) : profile.errorReply(id, 'internal', messageOf(error))
  try {
    const result = invoke(route, args, { context: callContext(service, caller, id), cache, profile })
    return result instanceof Promise ? result.then(finish, fail) : finish(result)
  } catch (error) {
    return fail(error)
  }
}

/** The reference's answer after a crash of its handler. */
export function panicReply({ errorReply, noId }: Profile, error: unknown): Reply {
  const message = messageOf(error)
  return errorReply(noId, 'internal', isOfReflect(error) ? `WSJSONRPC: ${message}` : message)
}
