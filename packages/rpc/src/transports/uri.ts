import { messageOf } from '@org/runtime/errors'
import { type Args, argumentsOfUri, isCacheable } from '../call/arguments.ts'
import { CACHEABLE_HEADERS, JSON_HEADERS, jsonResponse, resultReply } from '../call/envelope.ts'
import { invoke } from '../call/invoke.ts'
import type { Profile } from '../call/profile.ts'
import type { Route } from '../call/route.ts'
import { whileConnected } from '../call/while-connected.ts'
import { isPanic } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import { parseQuery } from '../http/request-target.ts'
import type { Binary } from '../json/index.ts'
import { forbidden, unsafeAdvice } from '../middleware/cross-site-requests.ts'
import { callContext, type RpcService } from '../service.ts'
import { parseForm } from './form-body.ts'

type Values = ReadonlyMap<Binary, Binary>

/**
 * The answer to a call that failed with an error of its operation. The reference sends the same form after a crash of a
 * handler.
 */
export function panicResponse(profile: Profile, error: unknown): HttpResponse {
  return jsonResponse(500, profile.errorReply(profile.noId, 'internal', messageOf(error)))
}

async function run(
  service: RpcService,
  route: Route,
  call: { args: Args; request: HttpRequest },
): Promise<HttpResponse> {
  const { args, request } = call
  const { profile, cache } = service
  const context = callContext(service, request, profile.noId)
  const headers = isCacheable(route, args) ? CACHEABLE_HEADERS : JSON_HEADERS
  try {
    const result = await invoke(route, args, { context, cache, profile })
    return jsonResponse(200, resultReply(profile.noId, result), headers)
  } catch (error) {
    return panicResponse(profile, error)
  }
}

const NO_VALUES: Values = new Map()

interface Asked {
  readonly request: HttpRequest
  readonly query: Binary
}

/** Returns the values of the form in the body, or the text of an error if the body cannot be read. */
async function formOf(service: RpcService, route: Route, request: HttpRequest): Promise<Values | string> {
  try {
    return await parseForm(request, route.paramNames, service.options.strict)
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * Runs the operation that a path names, with any HTTP method. The arguments come from the query part of the URI. If an
 * argument is empty or missing in the query part, it comes from the form in the body of the request.
 */
export async function handleUri(service: RpcService, route: Route, { request, query }: Asked): Promise<HttpResponse> {
  const { profile, options } = service
  // A link, an image or a form on any web page can make a browser request this path. So unsafe operations cannot be
  // called by a URI, unless the node is strict.
  if (route.unsafe === true && !options.strict) return forbidden(profile, unsafeAdvice(route))
  if (route.websocketOnly === true) return jsonResponse(404, profile.errorReply(profile.noId, 'method'))
  if (route.paramNames.length === 0) return await run(service, route, { args: {}, request })
  const refuse = (why: string): HttpResponse => jsonResponse(500, profile.errorReply(profile.noId, 'params', why))
  const values = parseQuery(query, route.paramNames)
  const form = request.body.length === 0 ? NO_VALUES : await formOf(service, route, request)
  if (typeof form === 'string') return refuse(form)
  // If a parameter is empty or missing in the query of the URI, its value comes from the form in the body.
  const lookup = (name: string): Binary => values.get(name) || form.get(name) || ''
  const answer = async (): Promise<HttpResponse> => {
    let args: Args
    try {
      args = argumentsOfUri(route, lookup, options.strict)
    } catch (error) {
      if (isPanic(error)) return panicResponse(profile, error)
      return refuse(`error converting http params to arguments: ${messageOf(error)}`)
    }
    return await run(service, route, { args, request })
  }
  return await (route.isOneByOne === true ? whileConnected(service.oneByOne, answer, request.signal()) : answer())
}
