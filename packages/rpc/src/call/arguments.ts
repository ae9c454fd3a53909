import { argumentError, type RpcError, reflectPanic } from '../errors.ts'
import { type Binary, elementsOf, elementsUpTo, formatBytes, kindOf, mapOf, mismatch } from '../json/index.ts'
import type { Param } from './params.ts'
import type { Route } from './route.ts'

export type Args = Readonly<Record<string, unknown>>

function paramOf(route: Route, name: string): Param<unknown> {
  return route.params[name] as Param<unknown>
}

/**
 * Returns whether the argument is a height of 0 that means the latest height. In the Node RPC Service Specification
 * (the service document), 0 means the latest height; the reference refuses 0.
 */
function isLatest(param: Param<unknown>, value: unknown, strict: boolean): boolean {
  return !strict && param.zeroIsLatest === true && value === 0n
}

const absentValue = (param: Param<unknown>): unknown => (param.absent === undefined ? param.zero : param.absent())

function fromRaw(param: Param<unknown>, raw: Binary, strict: boolean): unknown {
  if (raw === 'null') return absentValue(param)
  if (!strict && param.zeroIsLatest === true && /^-?0$/.test(raw)) return param.zero
  const value = (strict ? undefined : param.fromDocumentJson?.(raw)) ?? param.fromJson(raw)
  return isLatest(param, value, strict) ? param.zero : value
}

function fromMap(route: Route, raw: Binary, strict: boolean): Args {
  const names = [...route.paramNames, ...Object.keys(route.extras ?? {})]
  const given = raw === 'null' ? new Map<string, Binary>() : mapOf(raw, names)
  const args: Record<string, unknown> = {}
  for (const name of route.paramNames) {
    const value = given.get(name)
    const param = paramOf(route, name)
    args[name] = value === undefined ? absentValue(param) : fromRaw(param, value, strict)
  }
  if (strict || route.extras === undefined) return args
  for (const [name, param] of Object.entries(route.extras)) {
    const value = given.get(name)
    if (value !== undefined) args[name] = fromRaw(param, value, strict)
  }
  return args
}

/**
 * The maximum size, in bytes, of a positional list that is quoted in an error message. For a longer list, the message
 * contains only the size of the list. A strict node quotes lists of any size.
 */
const MAX_SHOWN_LIST = 1024

/**
 * Creates the error for a positional list with a wrong number of arguments. The reference shows each argument in this
 * error as a list of its bytes, in decimal numbers.
 */
function wrongCount({ paramNames }: Route, raw: Binary, strict: boolean): RpcError {
  const expected = `expected ${paramNames.length} parameters ([${paramNames.join(' ')}]), got`
  if (!strict && raw.length > MAX_SHOWN_LIST)
    return argumentError(`${expected} another number of them in a list of ${raw.length} bytes`)
  const given = elementsOf(raw)
  return argumentError(`${expected} ${given.length} ([${given.map(formatBytes).join(' ')}])`)
}

/**
 * Returns the minimum number of elements of a positional list. The list must be long enough to contain the last
 * required argument.
 */
function requiredCount({ paramNames, required = [] }: Route): number {
  return paramNames.findLastIndex((name) => required.includes(name)) + 1
}

/**
 * Reads the arguments of a positional list. On a node that is not strict, the last arguments may be missing if their
 * parameters are optional.
 */
function fromList(route: Route, raw: Binary, strict: boolean): Args {
  const { paramNames } = route
  const given = elementsUpTo(raw, paramNames.length)
  const minimum = strict ? paramNames.length : requiredCount(route)
  if (given === undefined || given.length < minimum) throw wrongCount(route, raw, strict)
  return Object.fromEntries(
    paramNames.map((name, i) => {
      const value = given[i]
      const param = paramOf(route, name)
      return [name, value === undefined ? absentValue(param) : fromRaw(param, value, strict)]
    }),
  )
}

/**
 * Returns the arguments of a call without `params`: each parameter has its default value, which {@link Param} defines.
 */
function absentArguments(route: Route): Args {
  return Object.fromEntries(route.paramNames.map((name) => [name, absentValue(paramOf(route, name))]))
}

/**
 * Reads the arguments of a request. `params` is a valid JSON value, or an empty text if the request has no `params`.
 * Throws with the reference's words.
 *
 * On a request without `params`, the reference's handler panics if the operation has parameters. The reference's server
 * then answers with an error that contains the text of the panic. A strict node throws the same error.
 */
export function argumentsOfJson(route: Route, params: Binary, strict: boolean): Args {
  if (params === '') {
    if (strict && route.paramNames.length > 0) throw reflectPanic('Call with too few input arguments')
    return absentArguments(route)
  }
  const kind = kindOf(params)
  if (kind === 'object' || kind === 'null') return fromMap(route, params, strict)
  if (kind === 'array') return fromList(route, params, strict)
  const why = mismatch(kind, '[]json.RawMessage').message
  throw argumentError(`unknown type for JSON params: ${why}. Expected map or array`)
}

/**
 * Reads the arguments of a URI call. `lookup` returns the text of an argument, or an empty text if the argument is
 * absent.
 */
export function argumentsOfUri(route: Route, lookup: (name: string) => Binary, strict: boolean): Args {
  const args: Record<string, unknown> = {}
  for (const name of route.paramNames) {
    const text = lookup(name)
    const param = paramOf(route, name)
    const value = text === '' ? absentValue(param) : param.fromUri(text)
    args[name] = isLatest(param, value, strict) ? param.zero : value
  }
  return args
}

/** Whether an HTTP answer to this call may be kept by caches. */
export function isCacheable(route: Route, args: Args): boolean {
  if (route.cache === undefined) return false
  return route.cache === 'always' || args.height !== undefined
}
