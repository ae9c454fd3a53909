import { type Json, stringifyJson } from '@org/types/schema'
import { argumentError, type RpcError } from '../errors.ts'
import { type Binary, textOfBinary } from './binary.ts'
import { fieldsOf, kindOf, mismatch, textOf } from './decode.ts'
import { formatValue, truncateToInt64 } from './go-format.ts'
import { ownText } from './own-text.ts'
import { elementsUpTo } from './visit.ts'

/** A JSON-RPC request. A request without an id is a notification. */
export interface RpcRequest {
  /** The id of the request, as the answer repeats it; `undefined` for a notification. */
  readonly id: string | undefined
  readonly method: string
  /** The raw value of `params`; empty if absent. */
  readonly params: Binary
}

const FIELDS = ['jsonrpc', 'id', 'method', 'params'] as const

const STRUCT =
  'struct { JSONRPC string "json:\\"jsonrpc\\""; ID interface {} "json:\\"id,omitempty\\""; Method string "json:\\"method\\""; Params json.RawMessage "json:\\"params\\"" }'

const TYPE_NAMES: Readonly<Record<string, string>> = {
  bool: 'bool',
  array: '[]interface {}',
  object: 'map[string]interface {}',
}

/**
 * Matches a whole number of at most 15 digits. If the id is such a number, the answer repeats it as the client wrote
 * it. Any other number in an id is truncated to an int64.
 */
const PLAIN_NUMBER = /^(0|-?[1-9][0-9]{0,14})$/

/** Matches a number in valid JSON. `lastIndex` must be the position of the number's first character. */
const NUMBER = /[-+.0-9eE]+/y

/**
 * Finds the first number in a valid JSON value that is too large for a float64. Returns this number as the client wrote
 * it, or `undefined` if there is no such number. Reads each character once.
 */
function numberTooLarge(raw: Binary): string | undefined {
  let inText = false
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at] as string
    if (char === '"') inText = !inText
    else if (inText) at += char === '\\' ? 1 : 0
    else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at
      const number = NUMBER.exec(raw)?.[0] ?? char
      if (!Number.isFinite(Number(number))) return number
      at += number.length - 1
    }
  }
  return undefined
}

/**
 * Returns the id of a request as JSON text, in the form in which the answer repeats it. Returns `undefined` for `null`.
 * Throws if the id is neither a text nor a number.
 */
function idOf(raw: Binary): string | undefined {
  const kind = kindOf(raw)
  if (kind === 'null') return undefined
  if (kind === 'string') return stringifyJson(textOf(raw))
  if (kind === 'number') return PLAIN_NUMBER.test(raw) ? ownText(raw) : truncateToInt64(Number(raw)).toString()
  const value = JSON.parse(textOfBinary(raw)) as Json
  throw argumentError(`json-rpc ID (${formatValue(value)}) is of unknown type (${TYPE_NAMES[kind]})`)
}

/**
 * Returns the request that a valid JSON value contains. If members have the wrong type, throws an error about the
 * first of them. The message of the error is the reference's message.
 */
export function requestOf(raw: Binary): RpcRequest {
  const kind = kindOf(raw)
  if (kind === 'null') return { id: undefined, method: '', params: '' }
  if (kind !== 'object') throw mismatch(kind, STRUCT)
  let wrong: RpcError | undefined
  let method = ''
  let params = ''
  let rawId: Binary | undefined
  for (const [name, value] of fieldsOf(raw, FIELDS)) {
    const found = kindOf(value)
    if (name === 'params') params = value
    else if (name === 'id') {
      rawId = value
      const tooLarge = found === 'string' ? undefined : numberTooLarge(value)
      if (tooLarge !== undefined) wrong ??= mismatch(`number ${tooLarge}`, 'float64', 'Go struct field .id')
    } else if (found === 'string') {
      if (name === 'method') method = textOf(value)
    } else if (found !== 'null') {
      wrong ??= mismatch(found, 'string', `Go struct field .${name}`)
    }
  }
  if (wrong !== undefined) throw wrong
  return { id: rawId === undefined ? undefined : idOf(rawId), method, params }
}

/**
 * The form of the requests that most clients send. The members have the order of the specification. The id is a short
 * number, or a text of letters, digits, `_` and `-`. The request has at most one parameter: a text without escapes. One
 * regular expression parses a request of this form. Any other request takes more time: its JSON syntax is checked, and
 * then its members are searched.
 */
const COMMON =
  /^\{"jsonrpc": ?"2\.0", ?"id": ?(0|[1-9][0-9]{0,14}|"[A-Za-z0-9_-]*"), ?"method": ?"([a-z_]+)", ?"params": ?(\{\}|\[\]|\{"[a-z_]+": ?"[\w+/=.:-]*"\})\}[ \t\r\n]*$/

/**
 * Returns the request if the text has the form {@link COMMON}. Returns `undefined` for any other text: the caller then
 * parses the text as usual.
 */
export function commonRequestOf(text: Binary): RpcRequest | undefined {
  const found = COMMON.exec(text)
  if (found === null) return undefined
  return { id: ownText(found[1] as string), method: found[2] as string, params: found[3] as string }
}

/**
 * Returns the requests of a batch. `undefined` if the valid JSON value is not a batch; `too-many` if it has more than
 * `max` elements, and then no element is read.
 */
export function batchOf(raw: Binary, max: number): readonly RpcRequest[] | 'too-many' | undefined {
  const kind = kindOf(raw)
  if (kind === 'null') return []
  if (kind !== 'array') return undefined
  const elements = elementsUpTo(raw, max)
  if (elements === undefined) return 'too-many'
  try {
    return elements.map(requestOf)
  } catch {
    return undefined
  }
}
