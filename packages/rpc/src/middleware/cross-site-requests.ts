import { isIP, isIPv4 } from 'node:net'
import { jsonResponse } from '../call/envelope.ts'
import type { Profile } from '../call/profile.ts'
import type { Route } from '../call/route.ts'
import { RPC_ERRORS } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import type { RpcOptions } from '../options.ts'
import { originTest } from './cors.ts'

/**
 * Refuses requests that do not come from the operator, but from web pages of other sites. A web page may open a
 * WebSocket to any address, and send simple requests to it, without permission. The host name of its site may also
 * resolve to this machine (DNS rebinding).
 */
export interface CrossSiteRequests {
  /** Returns the reason to refuse a WebSocket or a stream of events; `undefined` if the request is allowed. */
  readonly originFault: (request: Pick<HttpRequest, 'headers' | 'host'>) => string | undefined
  /** Returns the reason to refuse a request to a listener on loopback; `undefined` if the request is allowed. */
  readonly hostFault: (request: Pick<HttpRequest, 'host'>) => string | undefined
  /**
   * Returns the reason why a request may not control a devnet; `undefined` if the request is allowed. Three kinds of
   * web pages may control a devnet: pages of this node, pages of programs on this machine, and pages of an origin that
   * the operator has listed. The origin `*` is not enough.
   */
  readonly controlFault: (request: Pick<HttpRequest, 'headers' | 'host'>) => string | undefined
}

const SAFE_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest'])

/** Returns true if a browser sends this type of content to another site only when that site permits it (CORS). */
function hasSafeType(headers: HttpRequest['headers']): boolean {
  const media = (headers.get('content-type') ?? '').split(';', 1)[0] as string
  return SAFE_TYPES.has(media.trim().toLowerCase())
}

/** Returns the reason not to run an unsafe operation; `undefined` if the request is allowed. */
export function unsafeFault(
  route: Pick<Route, 'name' | 'unsafe'>,
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
): string | undefined {
  if (route.unsafe !== true) return undefined
  return method === 'POST' && hasSafeType(headers) ? undefined : unsafeAdvice(route)
}

/**
 * The form of call that error texts recommend. Because of the content type, a browser must ask the node (CORS) before a
 * page of another site may send a call of this form. So other sites cannot use this form without permission.
 */
const SAFE_CALL = 'JSON-RPC in a POST to / with the header Content-Type: application/json'

/** The error text for a call of an unsafe operation by a URI. It advises the client to send the call as JSON-RPC. */
export const unsafeAdvice = ({ name }: Pick<Route, 'name'>): string =>
  `${RPC_ERRORS.unsafeCall}: ${name} is an unsafe operation; call it as ${SAFE_CALL}`

/** The answer to a request that is refused because of its origin. */
export const forbidden = ({ errorReply, noId }: Profile, why: string): HttpResponse =>
  jsonResponse(403, errorReply(noId, 'request', why))

interface HostAndPort {
  /** The name of the host in lower case, without the brackets of an IPv6 address. */
  readonly name: string
  /** The host with its port, in the form of a URL: without the port if it is the default port of the scheme. */
  readonly host: string
}

const withoutBrackets = (name: string): string => name.replace(/^\[|\]$/g, '')

function parseHost(host: string, scheme: string): HostAndPort | undefined {
  if (!URL.canParse(`${scheme}//${host}`)) return undefined
  const url = new URL(`${scheme}//${host}`)
  return { name: withoutBrackets(url.hostname).replace(/\.$/, ''), host: url.host }
}

function isOwnOrigin(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: originHost } = new URL(origin)
  return originHost !== '' && parseHost(host, protocol)?.host === originHost
}

const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')

const isLocalName = (name: string): boolean => isLocalhost(name) || isIP(name) !== 0

const isLoopbackName = (name: string): boolean =>
  isLocalhost(name) || name === '::1' || (isIPv4(name) && name.startsWith('127.'))

function isOfThisMachine(origin: string): boolean {
  return URL.canParse(origin) && isLoopbackName(withoutBrackets(new URL(origin).hostname))
}

/** Returns true if all addresses in `laddr` can be reached only by programs on this machine. */
function isOnLoopback(laddr: string): boolean {
  return laddr.split(',').every((address) => {
    const name = /^(?:\w+:\/\/)?(.*):\d+$/.exec(address.trim())?.[1]
    return name === undefined || isLoopbackName(withoutBrackets(name))
  })
}

/** The remedy for a page whose origin is not listed. */
const LIST_ORIGIN =
  'use a page of this machine, or add its origin to cors_allowed_origins ("*" does not allow the control)'
/**
 * The advice in the error for a request that looks like a link or an image in a page of another site. Such a request
 * has no `Origin` header. So the advice does not name `cors_allowed_origins`: an origin in this list would not help.
 */
const SEND_POST = `use the explorer or the page /docs of this node, or send the call as ${SAFE_CALL}`

const listHost = (host: string): string =>
  `use an IP address, or add http://${host} to cors_allowed_origins ("*" does not allow the control)`

const controlAdvice = (who: string, remedy = LIST_ORIGIN): string =>
  `${RPC_ERRORS.foreignOrigin}: ${who} may not control this devnet; ${remedy}`

/**
 * Returns true for a name without a dot, such as `chain` in a network of containers. A site of the web has no such
 * name.
 */
function isShortName(host: string): boolean {
  const name = parseHost(host, 'http:')?.name
  return name !== undefined && /^[\w-]+$/.test(name)
}

function controlTest(
  laddr: string,
  isListed: (origin: string) => boolean,
  isKnownHost: (host: string) => boolean,
): CrossSiteRequests['controlFault'] {
  const isLocal = isOnLoopback(laddr)
  return ({ headers, host }) => {
    const origin = headers.get('origin') ?? ''
    const isPermitted = host === '' || isKnownHost(host) || (!isLocal && isShortName(host))
    if (!isPermitted) return controlAdvice(`requests for the host ${JSON.stringify(host)}`, listHost(host))
    if (origin === '') {
      // A page of another site may contain an image or a link with the URL of this node. The browser's request for this
      // URL has no `Origin` header. If the URL has a loopback address, the request has the header `Sec-Fetch-Site`.
      const site = headers.get('sec-fetch-site')
      if (site === 'cross-site') return controlAdvice('a page of another site')
      // If a URL with plain HTTP has no loopback address, browsers do not send `Sec-Fetch-Site`. Without this header,
      // the request for an image in a page of another site looks like the request for a link that the operator opens.
      // So the node refuses both requests. The node accepts the requests of its own pages: the page `/docs` sends
      // `Referer`, which another site cannot forge, and the explorer sends POST with `Origin`.
      if (isLocal || site !== undefined || isOwnOrigin(headers.get('referer') ?? '', host)) return undefined
      const isOfBrowser = headers.get('user-agent')?.startsWith('Mozilla/') === true && !hasSafeType(headers)
      return isOfBrowser ? controlAdvice('a browser that sends no Origin', SEND_POST) : undefined
    }
    if (isListed(origin) || isOfThisMachine(origin) || isOwnOrigin(origin, host)) return undefined
    return controlAdvice(`pages of ${JSON.stringify(origin)}`)
  }
}

/** Returns the host names in `laddr`. Requests may name these hosts, because the operator has chosen them. */
function listenNames(laddr: string): ReadonlySet<string> {
  const names = laddr
    .split(',')
    .map((address) => /^tcp:\/\/([^:[\]]+):\d+$/.exec(address.trim())?.[1]?.toLowerCase() ?? '')
  return new Set(names)
}

/**
 * Creates the checks that refuse requests from web pages of other sites. With `strict`, or if `cors_allowed_origins`
 * has `*`, only requests that control a devnet are checked.
 */
export function createCrossSiteRequests({
  strict,
  laddr,
  corsAllowedOrigins,
}: Pick<RpcOptions, 'strict' | 'laddr' | 'corsAllowedOrigins'>): CrossSiteRequests {
  const isListed = originTest(corsAllowedOrigins.filter((origin) => origin !== '*'))
  const names = listenNames(laddr)
  const isListedHost = ({ name, host }: HostAndPort): boolean =>
    ['http:', 'https:'].some((scheme) => isListed(`${scheme}//${host}`) || isListed(`${scheme}//${name}`))
  const isKnownHost = (host: string): boolean => {
    const parsed = parseHost(host, 'http:')
    return parsed !== undefined && (isLocalName(parsed.name) || names.has(parsed.name) || isListedHost(parsed))
  }
  const controlFault = controlTest(laddr, isListed, isKnownHost)
  if (strict || corsAllowedOrigins.includes('*'))
    return { originFault: () => undefined, hostFault: () => undefined, controlFault }
  return {
    controlFault,
    originFault: ({ headers, host }) => {
      const origin = headers.get('origin') ?? ''
      if (origin === '' || isListed(origin) || isOwnOrigin(origin, host)) return undefined
      return `${RPC_ERRORS.foreignOrigin}: pages of ${JSON.stringify(origin)} may not use this node; to allow them, the operator adds the origin to cors_allowed_origins`
    },
    hostFault: ({ host }) => {
      // A browser always sends the header `Host`, so a request without it does not come from a web page. HTTP/1.0 does
      // not need this header.
      if (host === '') return undefined
      if (isKnownHost(host)) return undefined
      return `${RPC_ERRORS.foreignHost}: this node accepts requests only from its own machine, and ${JSON.stringify(host)} is not a name of this machine; use localhost or an IP address, or add http://${host} to cors_allowed_origins`
    },
  }
}
