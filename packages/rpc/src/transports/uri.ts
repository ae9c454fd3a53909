import { isPanic, messageOf } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import type { Binary } from '../json/index.ts'
import { type Args, argumentsOfUri, isCacheable } from '../routes/arguments.ts'
import { invoke } from '../routes/invoke.ts'
import type { Route } from '../routes/route.ts'
import {
  CACHEABLE_HEADERS,
  errorReply,
  JSON_HEADERS,
  jsonResponse,
  NO_ID,
  type ResultJson,
  resultReply,
} from './envelope.ts'
import { parseForm } from './form.ts'
import { callContext, type RpcService } from './service.ts'
import { parseQuery } from './target.ts'

type Values = ReadonlyMap<Binary, Binary>

/** An answer when the handler fell over, in the reference's form. */
export function panicResponse(error: unknown): HttpResponse {
  return jsonResponse(500, errorReply(NO_ID, 'internal', messageOf(error)))
}

function failure(error: unknown): HttpResponse {
  return jsonResponse(500, errorReply(NO_ID, 'internal', messageOf(error)))
}

function run(
  service: RpcService,
  route: Route,
  call: { args: Args; request: HttpRequest },
): HttpResponse | Promise<HttpResponse> {
  const { args, request } = call
  const context = callContext(service, request, NO_ID)
  const finish = (result: ResultJson): HttpResponse =>
    jsonResponse(200, resultReply(NO_ID, result), isCacheable(route, args) ? CACHEABLE_HEADERS : JSON_HEADERS)
  try {
    const result = invoke(route, args, { context, cache: service.cache })
    return result instanceof Promise ? result.then(finish, failure) : finish(result)
  } catch (error) {
    return failure(error)
  }
}

/** One operation by its path: any verb, arguments from the query, then from a form. */
export function handleUri(
  service: RpcService,
  route: Route,
  call: { readonly request: HttpRequest; readonly query: Binary },
): HttpResponse | Promise<HttpResponse> {
  const { request, query } = call
  if (route.websocketOnly === true) return jsonResponse(404, errorReply(NO_ID, 'method'))
  const values = parseQuery(query)
  const withForm = (form: Values): HttpResponse | Promise<HttpResponse> => {
    // An empty value in the query gives way to one in the form.
    const lookup = (name: string): Binary => values.get(name) || form.get(name) || ''
    let args: Args
    try {
      args = argumentsOfUri(route, lookup, service.options.strict)
    } catch (error) {
      if (isPanic(error)) return panicResponse(error)
      return jsonResponse(
        500,
        errorReply(NO_ID, 'params', `error converting http params to arguments: ${messageOf(error)}`),
      )
    }
    return run(service, route, { args, request })
  }
  if (route.paramNames.length === 0) return run(service, route, { args: {}, request })
  const form = parseForm(request)
  return form instanceof Promise ? form.then(withForm) : withForm(form)
}
