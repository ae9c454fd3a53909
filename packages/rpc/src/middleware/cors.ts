import { RPC_ERRORS, RpcError } from '../errors.ts'
import { type HttpRequest, type HttpResponse, headerBlock, withHeaders } from '../http/index.ts'

export interface CorsOptions {
  readonly origins: readonly string[]
  readonly methods: readonly string[]
  readonly headers: readonly string[]
}

export interface Cors {
  /** The answer to a preflight request; `undefined` for any other request. */
  readonly preflight: (request: HttpRequest) => HttpResponse | undefined
  /** Adds the CORS headers to the answer to a request that is not a preflight request. */
  readonly decorate: (request: HttpRequest, response: HttpResponse) => HttpResponse
}

/** The maximum number of empty elements in a list of headers. */
const MAX_EMPTY = 16
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

/** Returns a function that checks whether an origin matches one of these patterns. Each pattern has at most one `*`. */
export function originTest(origins: readonly string[]): (origin: string) => boolean {
  const patterns = origins.map((origin) => {
    const lower = origin.toLowerCase()
    const star = lower.indexOf('*')
    return star < 0 ? lower : ([lower.slice(0, star), lower.slice(star + 1)] as const)
  })
  return (origin) => {
    const lower = origin.toLowerCase()
    return patterns.some((pattern) =>
      typeof pattern === 'string'
        ? pattern === lower
        : lower.length >= pattern[0].length + pattern[1].length &&
          lower.startsWith(pattern[0]) &&
          lower.endsWith(pattern[1]),
    )
  }
}

/**
 * Returns a function that checks the list in `Access-Control-Request-Headers`. The list may have only allowed names, in
 * lower case, sorted, each once, with at most one blank on each side.
 */
function headersTest(allowed: readonly string[]): (list: string) => boolean {
  const sorted = [...new Set(allowed.map((name) => name.toLowerCase()))].sort()
  return (list) => {
    let last = -1
    let empty = 0
    for (const element of list.split(',')) {
      if (/^[ \t]{2}|[ \t]{2}$/.test(element)) return false
      const name = element.replace(/^[ \t]|[ \t]$/g, '')
      if (name === '') {
        if (++empty > MAX_EMPTY) return false
        continue
      }
      const position = sorted.indexOf(name)
      if (position <= last) return false
      last = position
    }
    return true
  }
}

/** Throws RpcError (`RPC_CONFIG`) for an origin that no request can have. */
export function checkOrigins(origins: readonly string[]): void {
  const bad = origins.find((origin) => origin === '' || /\s|\*.*\*/.test(origin))
  if (bad === undefined) return
  const message = `cors_allowed_origins has ${JSON.stringify(bad)}: an origin has no spaces and at most one *`
  throw new RpcError(RPC_ERRORS.config, message, { data: { origin: bad } })
}

/** Cross-origin rules as the reference's middleware applies them. */
export function createCors(options: CorsOptions): Cors {
  const allowAll = options.origins.includes('*')
  const isListed = originTest(options.origins)
  const acceptsHeaders = options.headers.includes('*') ? () => true : headersTest(options.headers)
  const isOriginAllowed = (origin: string): boolean => origin !== '' && (allowAll || isListed(origin))
  const isMethodAllowed = (method: string): boolean =>
    options.methods.length > 0 && (method === 'OPTIONS' || options.methods.includes(method))

  function allowance(request: HttpRequest): readonly (readonly [string, string])[] {
    const origin = request.headers.get('origin') ?? ''
    const method = request.headers.get('access-control-request-method') as string
    const headers = request.headers.get('access-control-request-headers')
    if (!isOriginAllowed(origin) || !isMethodAllowed(method)) return []
    if (headers !== undefined && !acceptsHeaders(headers)) return []
    return [
      ['Access-Control-Allow-Origin', allowAll ? '*' : origin],
      ['Access-Control-Allow-Methods', method],
      ...(headers === undefined || headers === '' ? [] : [['Access-Control-Allow-Headers', headers] as const]),
    ]
  }

  return {
    preflight: (request) => {
      const asked = request.headers.get('access-control-request-method') ?? ''
      if (request.method !== 'OPTIONS' || asked === '') return undefined
      const headers = headerBlock([['Vary', PREFLIGHT_VARY], ...allowance(request)])
      return { status: 204, headers, body: [] }
    },
    decorate: (request, response) => {
      if (response.early === true) return response
      const origin = request.headers.get('origin') ?? ''
      const allowed = isOriginAllowed(origin) && isMethodAllowed(request.method)
      const vary = response.headers.entries.find(([name]) => name === 'Vary')
      const more: (readonly [string, string])[] = [['Vary', vary === undefined ? 'Origin' : `Origin, ${vary[1]}`]]
      if (allowed) more.push(['Access-Control-Allow-Origin', allowAll ? '*' : origin])
      return { ...response, headers: withHeaders(response.headers, more) }
    },
  }
}
