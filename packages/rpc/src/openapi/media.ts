type Node = { readonly [key: string]: unknown }

/** The profile with the shapes of the service document. */
const PROFILED = 'openapi'

type Media = Readonly<Record<string, Node>>

/**
 * The content of an answer in both profiles, the node's default first. Both have the type `application/json`; the
 * parameter of the other media type is the one that requests that profile in `Accept`.
 */
export function inBoth(standard: string, plain: Node, profiled: Node): Media {
  return standard === PROFILED
    ? { 'application/json': profiled, 'application/json; profile=v0.38': plain }
    : { 'application/json': plain, [`application/json; profile=${PROFILED}`]: profiled }
}
