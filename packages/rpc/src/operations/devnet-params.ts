import { isCodedError } from '@org/runtime/errors'
import { hexToBytes } from '@org/types/bytes'
import { bool, bytes, hexBytes, int64, type Param, string, strings } from '../call/params.ts'
import { argumentError, type RpcError } from '../errors.ts'
import { type Binary, textOfBinary } from '../json/index.ts'

/*
 * The parameters of the operations that control a devnet. People write these calls by hand. So an error names the
 * argument and what it must be, and a text in a URI needs no quotes.
 */

/** Makes a parameter. `name` is its name in error messages. */
export type NamedParam<T> = (name: string) => Param<T>

interface Rule<T> {
  /** The description of the valid values for error messages, such as `a whole number from 1 to 10`. */
  readonly wanted: string
  /** Returns whether a decoded value is valid. Absent: each value is valid. */
  readonly accepts?: (value: T) => boolean
  /**
   * Reads the argument from a text in a URI. Accepts only a notation that is valid in URIs but not in JSON, such as a
   * text without quotes. Returns `undefined` for any other notation. The text is then read like any argument in a URI.
   */
  readonly fromText?: (text: string) => T | undefined
}

/** An error repeats an argument up to this number of bytes. */
const MAX_SHOWN = 80
const TX_HASH_BYTES = 32

function wrong(name: string, wanted: string, raw: Binary): RpcError {
  const shown = textOfBinary(raw.slice(0, MAX_SHOWN))
  return argumentError(`${name} must be ${wanted}, but got ${shown}${raw.length > MAX_SHOWN ? '…' : ''}`)
}

/** Returns the result of `read`, or `undefined` if `read` throws the error for an invalid argument. */
function attempt<T>(read: () => T | undefined): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isCodedError(error)) return undefined
    throw error
  }
}

/** Makes a parameter that may be absent. */
function optional<T>(param: Param<T>, rule: Rule<T>): NamedParam<T | undefined> {
  const { wanted, accepts = () => true, fromText = () => undefined } = rule
  return (name) => {
    function checked(raw: Binary, read: () => T | undefined): T {
      const value = attempt(read)
      if (value === undefined || !accepts(value)) throw wrong(name, wanted, raw)
      return value
    }
    return {
      zero: undefined,
      isZero: (value) => value === undefined,
      fromJson: (raw) => checked(raw, () => param.fromDocumentJson?.(raw) ?? param.fromJson(raw)),
      fromUri: (text) => checked(text, () => fromText(textOfBinary(text)) ?? param.fromUri(text)),
      toJson: (value) => (value === undefined ? null : param.toJson(value)),
      schema: param.schema,
    }
  }
}

/** Makes a required parameter of an operation. A call without this parameter is refused. */
function required<T>(param: Param<T>, rule: Rule<T>): NamedParam<T> {
  const makeOptional = optional(param, rule)
  return (name) => ({
    ...(makeOptional(name) as Param<T>),
    absent: () => {
      throw argumentError(`${name} is missing: give ${rule.wanted}`)
    },
  })
}

const unquoted = (text: string): string | undefined => (text.startsWith('"') ? undefined : text)

function textRule(wanted: string, accepts: (value: string) => boolean = (value) => value !== ''): Rule<string> {
  return { wanted, accepts, fromText: unquoted }
}

type Range = readonly [least: bigint, most: bigint]

function numberRule([least, most]: Range): Rule<bigint> {
  return {
    wanted: `a whole number from ${least} to ${most}`,
    accepts: (value) => value >= least && value <= most,
  }
}

export const wholeNumber = (range: Range): NamedParam<bigint> => required(int64, numberRule(range))

export const optionalNumber = (range: Range): NamedParam<bigint | undefined> => optional(int64, numberRule(range))

/** An integer whose range the devnet checks, because the range depends on the chain. */
export const power: NamedParam<bigint> = required(int64, { wanted: 'a whole number' })

/** Makes a text parameter. Default of `accepts`: each text that is not empty. */
export const textParam = (wanted: string, accepts?: (value: string) => boolean): NamedParam<string> =>
  required(string, textRule(wanted, accepts))

/** Makes a parameter whose value must be one of the texts in `choices`. */
export function oneOf<T extends string>(choices: readonly T[]): NamedParam<T> {
  const wanted = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  return textParam(wanted, (value) => choices.includes(value as T)) as NamedParam<T>
}

const ADDRESS = 'the address of a validator in hex, as /validators shows it'

export const address: NamedParam<string> = textParam(ADDRESS)

/** The text that a caller gives in place of an address to request a new validator. */
export const NEW_VALIDATOR = 'new'

export const addressOrNew: NamedParam<string> = textParam(`${ADDRESS}, or "${NEW_VALIDATOR}"`)

export const optionalAddress: NamedParam<string | undefined> = optional(string, textRule(ADDRESS))

/**
 * In a URI, the addresses may also be a text with commas, because curl gives brackets in a URI a meaning of its own.
 */
export const addresses: NamedParam<readonly string[]> = required(strings, {
  wanted: 'a list of addresses of validators, such as ["ADDRESS"], or in a URI "ADDRESS,ADDRESS"',
  fromText: (text) => (text.startsWith('[') ? undefined : text.replace(/^"(.*)"$/, '$1').split(',')),
})

export const flag: NamedParam<boolean> = required(bool, {
  wanted: 'true or false',
  fromText: (text) => (text === '"true"' ? true : text === '"false"' ? false : undefined),
})

/** The hash of a transaction. In a URI the hex digits may be in quotes, and may have no `0x`. */
export const txHash: NamedParam<Uint8Array> = required(hexBytes, {
  wanted: 'the hash of a transaction: 64 hex digits',
  accepts: ({ length }) => length === TX_HASH_BYTES,
  fromText: (text) => {
    const digits = /^"?(?:0x)?([0-9a-fA-F]{64})"?$/.exec(text)?.[1]
    return digits === undefined ? undefined : hexToBytes(digits)
  },
})

export const dumpBytes: NamedParam<Uint8Array> = required(bytes, {
  wanted: 'the bytes that dev_dump returned, in base64',
  accepts: ({ length }) => length > 0,
})
