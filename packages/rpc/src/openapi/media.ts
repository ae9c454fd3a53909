type Node = { readonly [key: string]: unknown }

/** The profile with the shapes of the service document. */
const PROFILED = 'openapi'

type Media = Readonly<Record<string, Node>>

/**
 * Returns the content of an answer, by media type, in both profiles. `standard` is the profile in which the node
 * answers by default: `application/json` has the form of this profile. The other media type names the other profile in
 * its parameter. A client gets the other profile if it sends this media type in `Accept`.
 */
export function inBoth(standard: string, plain: Node, profiled: Node): Media {
  return standard === PROFILED
    ? { 'application/json': profiled, 'application/json; profile=v0.38': plain }
    : { 'application/json': plain, [`application/json; profile=${PROFILED}`]: profiled }
}
