import { messageOf } from '@org/runtime/errors'
import { type Args, argumentsOfUri, isCacheable } from '../call/arguments.ts'
import { CACHEABLE_HEADERS, JSON_HEADERS, jsonResponse, type ResultJson, resultReply } from '../call/envelope.ts'
import { invoke } from '../call/invoke.ts'
import type { Profile } from '../call/profile.ts'
import type { Route } from '../call/route.ts'
import { isPanic } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import { parseQuery } from '../http/request-target.ts'
import type { Binary } from '../json/index.ts'
import { forbidden, unsafeAdvice } from '../middleware/foreign.ts'
import { callContext, type RpcService } from '../service.ts'
import { parseForm } from './form-body.ts'

type Values = ReadonlyMap<Binary, Binary>

/** The answer after a crash of the handler, in the reference's form. */
export function panicResponse(profile: Profile, error: unknown): HttpResponse {
  return jsonResponse(500, profile.errorReply(profile.noId, 'internal', messageOf(error)))
}

function run(
  service: RpcService,
  route: Route,
  call: { args: Args; request: HttpRequest },
): HttpResponse | Promise<HttpResponse> {
  const { args, request } = call
  const { profile, cache } = service
  const context = callContext(service, request, profile.noId)
  const failure = (error: unknown): HttpResponse => panicResponse(profile, error)
  const finish = (result: ResultJson): HttpResponse =>
    jsonResponse(200, resultReply(profile.noId, result), isCacheable(route, args) ? CACHEABLE_HEADERS : JSON_HEADERS)
  try {
    const result = invoke(route, args, { context, cache, profile })
    return result instanceof Promise ? result.then(finish, failure) : finish(result)
  } catch (error) {
    return failure(error)
  }
}

/** Runs an operation by its path: any verb, arguments from the query, then from a form. */
export function handleUri(
  service: RpcService,
  route: Route,
  call: { readonly request: HttpRequest; readonly query: Binary },
): HttpResponse | Promise<HttpResponse> {
  const { request, query } = call
  const { profile, options } = service
  // A link, an image or a form of any web page can make a browser ask for this path.
  if (route.unsafe === true && !options.strict) return forbidden(profile, unsafeAdvice(route))
  if (route.websocketOnly === true) return jsonResponse(404, profile.errorReply(profile.noId, 'method'))
  const values = parseQuery(query, route.paramNames)
  const refuse = (why: string): HttpResponse => jsonResponse(500, profile.errorReply(profile.noId, 'params', why))
  const withForm = (form: Values): HttpResponse | Promise<HttpResponse> => {
    // An empty value in the query is replaced by the value in the form.
    const lookup = (name: string): Binary => values.get(name) || form.get(name) || ''
    let args: Args
    try {
      args = argumentsOfUri(route, lookup, service.options.strict)
    } catch (error) {
      if (isPanic(error)) return panicResponse(profile, error)
      return refuse(`error converting http params to arguments: ${messageOf(error)}`)
    }
    return run(service, route, { args, request })
  }
  if (route.paramNames.length === 0) return run(service, route, { args: {}, request })
  let form: ReturnType<typeof parseForm>
  try {
    form = parseForm(request, route.paramNames, options.strict)
  } catch (error) {
    return refuse(messageOf(error))
  }
  return form instanceof Promise ? form.then(withForm) : withForm(form)
}
