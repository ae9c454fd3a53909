import { isIP } from 'node:net'
import { jsonResponse } from '../call/envelope.ts'
import type { Profile } from '../call/profile.ts'
import type { Route } from '../call/route.ts'
import { RPC_ERRORS } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import type { RpcOptions } from '../options.ts'
import { originTest } from './cors.ts'

/**
 * Distinguishes the operator's requests from those that web pages of other sites make a browser send. Pages may open
 * WebSockets and send simple requests to any address without permission, and a host name of theirs may resolve to
 * this machine (DNS rebinding).
 */
export interface ForeignRequests {
  /** The reason to refuse a WebSocket or a stream of events; `undefined` if it is allowed. */
  readonly originFault: (request: Pick<HttpRequest, 'headers' | 'host'>) => string | undefined
  /** The reason for which a listener on loopback refuses a request; `undefined` if it is allowed. */
  readonly hostFault: (request: Pick<HttpRequest, 'host'>) => string | undefined
}

const SAFE_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest'])

/** The reason not to run an unsafe operation; `undefined` if it is allowed. */
export function unsafeFault(
  route: Pick<Route, 'name' | 'unsafe'>,
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
): string | undefined {
  if (route.unsafe !== true) return undefined
  const media = (headers.get('content-type') ?? '').split(';', 1)[0] as string
  if (method === 'POST' && SAFE_TYPES.has(media.trim().toLowerCase())) return undefined
  return unsafeAdvice(route)
}

/** Advice for a client that calls an unsafe operation by its path. */
export const unsafeAdvice = ({ name }: Pick<Route, 'name'>): string =>
  `${RPC_ERRORS.unsafeCall}: ${name} is an unsafe operation; call it as JSON-RPC in a POST to / with the header Content-Type: application/json`

/** The answer to a request that is refused because of its origin. */
export const forbidden = ({ errorReply, noId }: Profile, why: string): HttpResponse =>
  jsonResponse(403, errorReply(noId, 'request', why))

interface HostAndPort {
  /** The name in lower case, without the brackets of an IPv6 address. */
  readonly name: string
  /** The host in the form of URLs: without the default port of the scheme. */
  readonly host: string
}

function parseHost(host: string, scheme: string): HostAndPort | undefined {
  if (!URL.canParse(`${scheme}//${host}`)) return undefined
  const url = new URL(`${scheme}//${host}`)
  return { name: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''), host: url.host }
}

function isOwnOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: originHost } = new URL(origin)
  return originHost !== '' && parseHost(host, protocol)?.host === originHost
}

const isLocalName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0

const OPEN: ForeignRequests = { originFault: () => undefined, hostFault: () => undefined }

/** The host names in `laddr`. The operator has chosen them. */
function listenNames(laddr: string): ReadonlySet<string> {
  const names = laddr
    .split(',')
    .map((address) => /^tcp:\/\/([^:[\]]+):\d+$/.exec(address.trim())?.[1]?.toLowerCase() ?? '')
  return new Set(names)
}

/** Refuses nothing with `strict`, and where `cors_allowed_origins` has `*`. */
export function createForeignRequests({
  strict,
  laddr,
  corsAllowedOrigins,
}: Pick<RpcOptions, 'strict' | 'laddr' | 'corsAllowedOrigins'>): ForeignRequests {
  if (strict || corsAllowedOrigins.includes('*')) return OPEN
  const isListed = originTest(corsAllowedOrigins)
  const names = listenNames(laddr)
  const isListedHost = ({ name, host }: HostAndPort): boolean =>
    ['http:', 'https:'].some((scheme) => isListed(`${scheme}//${host}`) || isListed(`${scheme}//${name}`))
  return {
    originFault: ({ headers, host }) => {
      const origin = headers.get('origin') ?? ''
      if (origin === '' || isListed(origin) || isOwnOrigin(origin, host)) return undefined
      return `${RPC_ERRORS.foreignOrigin}: pages of ${JSON.stringify(origin)} may not use this node; to allow them, the operator adds the origin to cors_allowed_origins`
    },
    hostFault: ({ host }) => {
      // HTTP/1.0 has no Host header, while a browser always sends it.
      if (host === '') return undefined
      const parsed = parseHost(host, 'http:')
      if (parsed !== undefined) {
        const { name } = parsed
        if (isLocalName(name) || names.has(name) || isListedHost(parsed)) return undefined
      }
      return `${RPC_ERRORS.foreignHost}: this node accepts requests only from its own machine, and ${JSON.stringify(host)} is not a name of this machine; use localhost or an IP address, or add http://${host} to cors_allowed_origins`
    },
  }
}
