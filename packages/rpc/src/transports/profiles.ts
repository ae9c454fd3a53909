import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import type { RpcOptions } from '../options.ts'
import { chosenProfile, PROFILE_NAMES, type Profile, profileOf, referenceProfile } from '../profiles/index.ts'
import { errorReply, jsonResponse, NO_ID } from './envelope.ts'
import type { RpcService } from './service.ts'

/**
 * The role of the `Accept` header in the choice of a profile. `chose`: it named the profile. `could-choose`: it is
 * present and names no profile. `none`: the answer does not depend on it (profile in the query, no header, or
 * strict).
 */
type AcceptRole = 'chose' | 'could-choose' | 'none'

export type Chosen =
  | { readonly kind: 'known'; readonly service: RpcService; readonly accept: AcceptRole }
  | { readonly kind: 'unknown'; readonly response: HttpResponse; readonly accept: AcceptRole }

/** The RPC in each of its profiles. */
export interface Profiles {
  /** The service in the default profile. */
  readonly service: RpcService
  readonly choose: (request: Pick<HttpRequest, 'target' | 'headers'>) => Chosen
}

const listed = `the profiles are ${PROFILE_NAMES.join(', ')}`

/** The profile of the options. Throws RpcError (`RPC_CONFIG`) if it does not exist. */
export function defaultProfile({ responseProfile, strict }: RpcOptions): Profile {
  const profile = profileOf(responseProfile)
  if (profile === undefined)
    throw new RpcError(RPC_ERRORS.config, `unknown response_profile "${responseProfile}": ${listed}`)
  return strict ? referenceProfile : profile
}

export function createProfiles(service: RpcService): Profiles {
  const usual: Chosen = { kind: 'known', service, accept: 'none' }
  const usualByAccept: Chosen = { kind: 'known', service, accept: 'could-choose' }
  return {
    service,
    choose: ({ target, headers }) => {
      if (service.options.strict) return usual
      const mark = target.indexOf('?')
      const choice = chosenProfile({ headers }, mark < 0 ? '' : target.slice(mark + 1))
      // A request without `Accept` gets the headers of the reference.
      if (choice === undefined) return headers.has('accept') ? usualByAccept : usual
      const accept = choice.negotiated ? 'chose' : 'none'
      const profile = profileOf(choice.name)
      if (profile !== undefined) return { kind: 'known', service: { ...service, profile }, accept }
      const reply = errorReply(NO_ID, 'request', `unknown profile: ${listed}`)
      return { kind: 'unknown', response: jsonResponse(406, reply), accept }
    },
  }
}
