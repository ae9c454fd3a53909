import { errorReply, jsonResponse, negotiated, plainError, varyByAccept } from '../call/envelope.ts'
import { LARGE_REQUEST, whileConnected } from '../call/while-connected.ts'
import type { HttpHandler, HttpRequest, HttpResponse, HttpUpgrade } from '../http/index.ts'
import { headerBlock } from '../http/index.ts'
import { escapeNonAscii, parseTarget, type Target } from '../http/request-target.ts'
import { type Binary, type Body, bytesOfBinary, parseBody } from '../json/index.ts'
import { createCors } from '../middleware/cors.ts'
import { forbidden } from '../middleware/cross-site-requests.ts'
import { RATE_LIMITED } from '../middleware/rate-limit.ts'
import type { Chosen, Profiles } from '../profiles/create-profiles.ts'
import { createEventsRoute } from '../sse/events-route.ts'
import { createDocumentsAndProbes } from './documents-and-probes.ts'
import { handleJsonRpc } from './jsonrpc.ts'
import { escapeHtml, listingPage } from './listing.ts'
import { handleUri } from './uri.ts'

type Answer = HttpResponse | HttpUpgrade

/** The answer to `OPTIONS` with an invalid target, such as `OPTIONS *`, has no body. */
const NO_BODY = headerBlock([['Content-Length', '0']])

/**
 * Redirects a request to the address `asked`. In the header `Location`, bytes that are not ASCII are written as
 * escapes. In the body, the link has these bytes without escapes.
 */
function redirect(request: HttpRequest, asked: Binary): HttpResponse {
  const location = escapeNonAscii(asked)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 307, headers: headerBlock([['Location', location]]), body: [] }
  }
  const headers = headerBlock([
    ['Location', location],
    ['Content-Type', 'text/html; charset=utf-8'],
  ])
  const page = `<a href="${escapeHtml(asked)}">Temporary Redirect</a>.\n\n`
  const body = request.method === 'GET' ? [bytesOfBinary(page)] : []
  return { status: 307, headers, body }
}

/**
 * Returns true for a body that begins like a batch. Such a body is parsed before the path is checked, because the size
 * of a batch is limited on all paths.
 */
function looksLikeBatch(body: Uint8Array): boolean {
  for (const byte of body) {
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return byte === 91
  }
  return false
}

/**
 * Returns the names of the operations that a body calls, for the rate limit. A body that cannot be parsed counts as one
 * call.
 */
function methodsOf(body: Body): readonly string[] {
  if (body.kind === 'batch') return body.requests.map(({ method }) => method)
  return [body.kind === 'single' ? body.request.method : '']
}

function tooManyRequests(limit: number): HttpResponse {
  const why = `batch request exceeds maximum (${limit}) allowed number of requests`
  return { ...jsonResponse(200, errorReply(undefined, 'request', why)), early: true }
}

export interface HandlerModules {
  readonly upgrade: (request: HttpRequest) => Promise<Answer>
}

/** Creates the handler of all HTTP requests: limits, cross-origin rules, router and transports. */
export function createHandler(profiles: Profiles, modules: HandlerModules): HttpHandler {
  const { options, routes, site } = profiles.service
  const extras = createDocumentsAndProbes(profiles.service)
  const events = options.strict ? undefined : createEventsRoute(profiles.service)
  const cors =
    options.corsAllowedOrigins.length === 0
      ? undefined
      : createCors({
          origins: options.corsAllowedOrigins,
          methods: options.corsAllowedMethods,
          headers: options.corsAllowedHeaders,
        })

  /** Returns the function that adds the headers for HTTP caches; `undefined` if an answer needs no such headers. */
  function forCaches(chosen: Chosen): ((response: HttpResponse) => HttpResponse) | undefined {
    if (chosen.accept === 'chose') return negotiated
    return chosen.accept === 'could-choose' ? varyByAccept : undefined
  }

  /** Answers in the profile that the request names, or else in the default profile. */
  function inProfile(
    { request, methods }: { readonly request: HttpRequest; readonly methods: () => readonly string[] },
    answer: (chosen: Extract<Chosen, { kind: 'known' }>) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const chosen = profiles.choose(request)
    const marked = forCaches(chosen)
    if (chosen.kind === 'unknown')
      return Promise.resolve(marked === undefined ? chosen.response : marked(chosen.response))
    const { profile, rateLimit } = chosen.service
    if (rateLimit?.tryTake(request.remoteAddress, methods()) === false)
      return Promise.resolve(jsonResponse(429, profile.errorReply(profile.noId, 'server', RATE_LIMITED)))
    const response = answer(chosen)
    return marked === undefined ? response : response.then(marked)
  }

  // In an async function, `return await promise` needs fewer microtasks than `return promise`.
  async function route(request: HttpRequest, parsed: Body | undefined): Promise<Answer> {
    const target: Target = parseTarget(request.method, request.target)
    if (target.kind === 'redirect') return redirect(request, target.location)
    if (target.kind === 'bad') {
      if (request.method === 'OPTIONS') return { status: 200, headers: NO_BODY, body: [], early: true }
      const headers = headerBlock(request.http11 ? [['Connection', 'close']] : [])
      return { status: 400, headers, body: [] }
    }
    const { path, query } = target
    if (path === '/') {
      if (request.body.length === 0) {
        const host = target.host ?? request.host
        return listingPage(routes.values(), options.strict ? host : escapeHtml(host))
      }
      const body = parsed ?? parseBody(request.body)
      return await inProfile({ request, methods: () => methodsOf(body) }, ({ service }) =>
        handleJsonRpc(service, body, request),
      )
    }
    if (path === '/websocket') return await modules.upgrade(request)
    if (path === '/events' && events !== undefined && (request.method === 'GET' || request.method === 'HEAD'))
      return await inProfile({ request, methods: () => ['subscribe'] }, async ({ service }) => {
        const fault = service.foreign.originFault(request)
        if (fault !== undefined) return forbidden(service.profile, fault)
        return events.answer(service, { request, query })
      })
    const found = routes.get(path.slice(1))
    if (found === undefined)
      return (
        (await (extras.answer(path, request) ?? site?.answer(path, request))) ?? plainError(404, '404 page not found')
      )
    return await inProfile({ request, methods: () => [found.name] }, ({ service }) =>
      handleUri(service, found, { request, query }),
    )
  }

  const maxBatch = options.maxRequestBatchSize > 0 ? options.maxRequestBatchSize : Number.POSITIVE_INFINITY
  // The reference reads every request of a batch before it counts them, so it reports an invalid request first. A
  // strict node does the same.
  const maxRead = options.strict ? Number.POSITIVE_INFINITY : maxBatch

  async function answer(request: HttpRequest): Promise<Answer> {
    let parsed: Body | undefined
    if (options.maxRequestBatchSize > 0 && looksLikeBatch(request.body)) {
      parsed = parseBody(request.body, maxRead)
      if (parsed.kind === 'too-many' || (parsed.kind === 'batch' && parsed.requests.length > maxBatch))
        return tooManyRequests(maxBatch)
    }
    if (cors === undefined) return await route(request, parsed)
    const preflight = cors.preflight(request)
    if (preflight !== undefined) return preflight
    const routed = await route(request, parsed)
    return 'upgrade' in routed ? routed : cors.decorate(request, routed)
  }

  const { pace } = profiles.service
  return (request) =>
    request.body.length < LARGE_REQUEST
      ? answer(request)
      : whileConnected(pace.run, () => answer(request), request.signal())
}

/** The answer to a body that cannot be read. */
export function bodyErrorResponse(message: string, closes: boolean): HttpResponse {
  const response = jsonResponse(400, errorReply(undefined, 'request', `error reading request body: ${message}`))
  const headers = closes
    ? headerBlock([
        ['Connection', 'close'],
        ['Content-Type', 'application/json'],
      ])
    : response.headers
  return { ...response, headers, early: true }
}
