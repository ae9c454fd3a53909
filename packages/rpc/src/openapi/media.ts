type Node = { readonly [key: string]: unknown }

/** The profile with the shapes of the service document. */
const PROFILED = 'openapi'

type Media = Readonly<Record<string, Node>>

/**
 * The content of an answer in both profiles, that of the node's default first. An answer has the type `application/json` in both;
 * the parameter of the other type is the one that asks for it in `Accept`.
 */
export function inBoth(standard: string, plain: Node, profiled: Node): Media {
  return standard === PROFILED
    ? { 'application/json': profiled, 'application/json; profile=v0.38': plain }
    : { 'application/json': plain, [`application/json; profile=${PROFILED}`]: profiled }
}
