type Node = { readonly [key: string]: unknown }

/** The profile with the shapes of the service document. */
const PROFILED = 'openapi'

type Media = Readonly<Record<string, Node>>

/**
 * Returns the description of an answer with two media types, one for each profile. `standard` is the name of the node's
 * default profile. The media type `application/json` describes the answer in the default profile. The second media type
 * has a parameter with the name of the other profile. A client that sends the second media type in `Accept` gets the
 * answer in the other profile.
 */
export function bothMediaTypes(standard: string, plain: Node, profiled: Node): Media {
  return standard === PROFILED
    ? { 'application/json': profiled, 'application/json; profile=v0.38': plain }
    : { 'application/json': plain, [`application/json; profile=${PROFILED}`]: profiled }
}
