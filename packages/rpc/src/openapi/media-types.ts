type Node = { readonly [key: string]: unknown }

/** The profile with the shapes of the service document. */
const PROFILED = 'openapi'

type Media = Readonly<Record<string, Node>>

/**
 * Returns the description of an answer with two media types, one for each profile. `application/json` has the form of
 * `standard`, the profile in which the node answers by default. The second media type has a parameter that names the
 * other profile. A client gets this profile if it sends the second media type in `Accept`.
 */
export function bothMediaTypes(standard: string, plain: Node, profiled: Node): Media {
  return standard === PROFILED
    ? { 'application/json': profiled, 'application/json; profile=v0.38': plain }
    : { 'application/json': plain, [`application/json; profile=${PROFILED}`]: profiled }
}
