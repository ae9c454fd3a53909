import type { Profile } from '../call/profile.ts'
import type { HttpRequest } from '../http/index.ts'
import { parseQuery } from '../http/request-target.ts'
import type { Binary } from '../json/index.ts'
import { openapiProfile } from './openapi.ts'
import { referenceProfile } from './reference.ts'

export const PROFILES: readonly Profile[] = [referenceProfile, openapiProfile]
export const PROFILE_NAMES: readonly string[] = PROFILES.map(({ name }) => name)

export const profileOf = (name: string): Profile | undefined => PROFILES.find((profile) => profile.name === name)

export interface Choice {
  readonly name: string
  /** True if the `Accept` header named the profile. The answer then has the header `Vary`, for HTTP caches. */
  readonly negotiated: boolean
}

/** The maximum length of an `Accept` header. A longer header is ignored. */
const MAX_ACCEPT = 1024

const unquoted = (text: string): string => (/^".*"$/s.test(text) ? text.slice(1, -1) : text)

/** The parameter `profile` of `application/json` in an `Accept` header. */
function acceptedProfile(accept: string): string | undefined {
  for (const range of accept.split(',')) {
    const [media = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (media.toLowerCase() !== 'application/json') continue
    for (const parameter of parameters) {
      const equals = parameter.indexOf('=')
      if (equals === -1 || parameter.slice(0, equals).trim().toLowerCase() !== 'profile') continue
      return unquoted(parameter.slice(equals + 1).trim())
    }
  }
  return undefined
}

/** The profile that a request names; `undefined` if it names none. The query has precedence over the header. */
export function chosenProfile(request: Pick<HttpRequest, 'headers'>, query: Binary): Choice | undefined {
  if (query.includes('profile')) {
    const name = parseQuery(query, ['profile']).get('profile')
    if (name !== undefined) return { name: unquoted(name), negotiated: false }
  }
  const accept = request.headers.get('accept')
  if (accept === undefined || accept.length > MAX_ACCEPT || !/profile/i.test(accept)) return undefined
  const name = acceptedProfile(accept)
  return name === undefined ? undefined : { name, negotiated: true }
}
