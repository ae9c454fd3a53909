type Node = { readonly [key: string]: unknown }

/** The profile with the shapes of the service document. */
const PROFILED = 'openapi'

type Media = Readonly<Record<string, Node>>

/**
 * Returns the content of an answer by media type, with one entry for each of the two profiles. `application/json` has
 * the form of the profile `standard`, in which the node answers by default. The other media type has a parameter that
 * names the other profile. If a client sends this media type in `Accept`, the node answers in that profile.
 */
export function inBoth(standard: string, plain: Node, profiled: Node): Media {
  return standard === PROFILED
    ? { 'application/json': profiled, 'application/json; profile=v0.38': plain }
    : { 'application/json': plain, [`application/json; profile=${PROFILED}`]: profiled }
}
