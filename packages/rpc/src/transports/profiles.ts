import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { HttpRequest, HttpResponse } from '../http/index.ts'
import type { RpcOptions } from '../options.ts'
import { chosenProfile, PROFILE_NAMES, type Profile, profileOf, referenceProfile } from '../profiles/index.ts'
import { errorReply, jsonResponse, NO_ID } from './envelope.ts'
import type { RpcService } from './service.ts'

export type Chosen =
  | { readonly kind: 'known'; readonly service: RpcService; readonly negotiated: boolean }
  | { readonly kind: 'unknown'; readonly response: HttpResponse; readonly negotiated: boolean }

/** The RPC in each of its profiles. */
export interface Profiles {
  /** In the default one. */
  readonly service: RpcService
  readonly choose: (request: Pick<HttpRequest, 'target' | 'headers'>) => Chosen
}

const listed = `there are ${PROFILE_NAMES.join(', ')}`

/** The profile of the options. Throws RpcError (`RPC_CONFIG`) for one that does not exist. */
export function defaultProfile({ responseProfile, strict }: RpcOptions): Profile {
  const profile = profileOf(responseProfile)
  if (profile === undefined)
    throw new RpcError(RPC_ERRORS.config, `unknown response_profile "${responseProfile}": ${listed}`)
  return strict ? referenceProfile : profile
}

export function createProfiles(service: RpcService): Profiles {
  const usual: Chosen = { kind: 'known', service, negotiated: false }
  return {
    service,
    choose: ({ target, headers }) => {
      if (service.options.strict) return usual
      const mark = target.indexOf('?')
      const choice = chosenProfile({ headers }, mark < 0 ? '' : target.slice(mark + 1))
      if (choice === undefined) return usual
      const profile = profileOf(choice.name)
      if (profile !== undefined)
        return { kind: 'known', service: { ...service, profile }, negotiated: choice.negotiated }
      const reply = errorReply(NO_ID, 'request', `unknown profile: ${listed}`)
      return { kind: 'unknown', response: jsonResponse(406, reply), negotiated: choice.negotiated }
    },
  }
}
