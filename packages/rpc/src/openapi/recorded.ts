import type { Route } from '../call/route.ts'
import { refused } from '../errors.ts'
import type { Ports } from '../ports/index.ts'
import { openapiProfile } from '../profiles/openapi.ts'
import { EXAMPLES } from './examples.ts'
import { OWN_EXAMPLES } from './own-examples.ts'

type Node = { readonly [key: string]: unknown }
type Values = Readonly<Record<string, unknown>>

export interface RecordedError {
  readonly code: number
  readonly message: string
  readonly data?: string
}

/** The recorded calls of an operation. */
export interface Recorded {
  readonly uri: Values
  readonly json: Values
  readonly result: unknown
  readonly error: RecordedError | undefined
}

function parsed<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as T)
}

export function recordedOf({ name }: Route): Recorded {
  const { uri, json, result, error } = EXAMPLES[name] ?? OWN_EXAMPLES[name] ?? {}
  return {
    uri: parsed<Values>(uri) ?? {},
    json: parsed<Values>(json) ?? {},
    result: parsed(result),
    error: parsed(error),
  }
}

/**
 * The ports with which a recorded answer is written in the profile `openapi`, as an example for the API documents. The
 * profile uses its ports only to look up the public keys of validators. An example may lack these keys, so these ports
 * load no validators.
 */
const NO_PORTS = {
  state: {
    loadValidators: () => {
      throw refused('a recorded example cannot load validators, because it has no state')
    },
  },
} as unknown as Ports

const answer = (id: unknown, member: Node): Node => ({ jsonrpc: '2.0', id, ...member })

/**
 * Returns a recorded answer as an example, in both profiles, in the form of an answer to a URI call. Returns
 * `undefined` if no answer was recorded.
 */
export function resultExamples(route: Route): { readonly plain: Node; readonly profiled: Node } | undefined {
  const { result } = recordedOf(route)
  if (result === undefined) return undefined
  const text = openapiProfile.resultText(route, route.result.parse(result), NO_PORTS)
  return { plain: answer(-1, { result }), profiled: answer('', { result: JSON.parse(text) }) }
}

const UNKNOWN: RecordedError = { code: -32603, message: 'Internal error' }

/** Returns an error answer as an example, in both profiles, in the form of an answer to a URI call. */
export function errorExamples(route: Route): { readonly plain: Node; readonly profiled: Node } {
  const error = recordedOf(route).error ?? UNKNOWN
  const text = error.data === undefined ? error.message : `${error.message}: ${error.data}`
  return { plain: answer(-1, { error }), profiled: answer('', { error: text }) }
}
