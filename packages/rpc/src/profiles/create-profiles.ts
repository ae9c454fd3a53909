import { errorReply, jsonResponse, NO_ID } from '../call/envelope.ts'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import type { RpcOptions } from '../options.ts'
import type { RpcService } from '../service.ts'
import { chosenProfile, PROFILE_NAMES, type Profile, profileOf, referenceProfile } from './index.ts'

/**
 * The role of the `Accept` header in the choice of the profile. The headers of an answer inform HTTP caches about this
 * role.
 *
 * `chose`: the header named the profile.
 *
 * `could-choose`: the header names no profile. But a request for the same URL with another `Accept` header could get
 * another profile, so caches must compare the `Accept` headers of the two requests.
 *
 * `none`: the header has no influence, and the answer has only the headers of the reference. The role is `none` if the
 * query names the profile, if the node is strict, or if {@link isForReference} returns true.
 */
type AcceptRole = 'chose' | 'could-choose' | 'none'

export type Chosen =
  | { readonly kind: 'known'; readonly service: RpcService; readonly accept: AcceptRole }
  | { readonly kind: 'unknown'; readonly response: HttpResponse; readonly accept: AcceptRole }

/** The RPC in each of its profiles. */
export interface Profiles {
  /** The RPC service that writes its answers in the default profile. */
  readonly service: RpcService
  readonly choose: (request: Pick<HttpRequest, 'target' | 'headers'>) => Chosen
}

/**
 * Headers that a proxy adds to a request that it forwards. Every proxy must add `Via`. Proxies in front of servers
 * usually add the other headers too.
 */
const PROXY_HEADERS = ['via', 'x-forwarded-for', 'forwarded', 'cdn-loop'] as const

const listed = `the profiles are ${PROFILE_NAMES.join(', ')}`

/** Returns the default profile that the options name. Throws RpcError (`RPC_CONFIG`) if it does not exist. */
export function defaultProfile({ responseProfile, strict }: RpcOptions): Profile {
  const profile = profileOf(responseProfile)
  if (profile === undefined)
    throw new RpcError(RPC_ERRORS.config, `unknown response_profile "${responseProfile}": ${listed}`)
  return strict ? referenceProfile : profile
}

export function createProfiles(service: RpcService): Profiles {
  const usual: Chosen = { kind: 'known', service, accept: 'none' }
  const usualByAccept: Chosen = { kind: 'known', service, accept: 'could-choose' }
  /**
   * Decides about a request that names no profile. Returns true if the answer has only the headers of the reference,
   * without `Vary`. Three conditions must be true: the default profile of the node is the reference's profile, the
   * request has no `Accept` header, and the request has no header of a proxy. If one of these conditions is false, a
   * cacheable answer gets the header `Vary: Accept`. Without the header `Vary`, a cache could give the answer to a
   * client that requests another profile.
   */
  const isForReference = (headers: HttpRequest['headers']): boolean =>
    service.profile === referenceProfile && !headers.has('accept') && !PROXY_HEADERS.some((name) => headers.has(name))

  return {
    service,
    choose: ({ target, headers }) => {
      if (service.options.strict) return usual
      const mark = target.indexOf('?')
      const choice = chosenProfile({ headers }, mark < 0 ? '' : target.slice(mark + 1))
      if (choice === undefined) return isForReference(headers) ? usual : usualByAccept
      const accept = choice.negotiated ? 'chose' : 'none'
      const profile = profileOf(choice.name)
      if (profile !== undefined) return { kind: 'known', service: { ...service, profile }, accept }
      const reply = errorReply(NO_ID, 'request', `unknown profile: ${listed}`)
      return { kind: 'unknown', response: jsonResponse(406, reply), accept }
    },
  }
}
