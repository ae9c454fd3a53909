import { bytesToBase64, bytesToHex, bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { EMPTY_BYTES, type Json } from '@org/types/schema'
import { argumentError, type RpcError } from '../errors.ts'
import {
  type Binary,
  boolFromJson,
  bytesFromJson,
  decodeHex,
  hexFromJson,
  INT,
  INT64,
  type IntegerKind,
  integerFromJson,
  parseInteger,
  plainBase64,
  rawListOf,
  scanWhole,
  stringFromJson,
  UINT,
} from '../json/index.ts'

/** A JSON Schema, for the API documents. */
export type JsonSchema = { readonly [key: string]: unknown }

/** One type of argument: how the argument is read from JSON and from a URI, and which value it has if it is absent. */
export interface Param<T> {
  /** The default value, which an argument has if it is absent or `null` and the function `absent` is not defined. */
  readonly zero: T
  /**
   * Called if the argument is absent or `null`. Returns the default value, or throws because the argument is required.
   * If a parameter does not define this function, its default value is `zero`.
   */
  readonly absent?: () => T
  isZero(this: void, value: T): boolean
  /** Reads a raw JSON value other than `null`. The value may still be invalid. Throws with the reference's words. */
  readonly fromJson: (raw: Binary) => T
  /**
   * Reads the JSON forms that the Node RPC Service Specification allows and the reference refuses. Returns `undefined`
   * for any other form. Not called on a strict node.
   */
  readonly fromDocumentJson?: (raw: Binary) => T | undefined
  /** Decodes the text of an argument in a URI or a form. The text is not empty. */
  readonly fromUri: (text: Binary) => T
  /** Returns the JSON that a client sends for a value. */
  toJson(this: void, value: T): Json
  readonly schema: JsonSchema
  /** True for a height where 0 means the latest height, as if the argument were absent. A strict node refuses 0. */
  readonly zeroIsLatest?: boolean
}

export type ParamValue<P> = P extends Param<infer T> ? T : never

const INTEGER = /^-?[0-9]+$/
/** A JSON integer with at most 20 digits. An integer of 64 bits has no more digits. */
const JSON_INTEGER = /^-?[0-9]{1,20}$/
const PREFIXED_STRING = /^"0x/i
const isHexText = (text: Binary): boolean => /^0x/i.test(text)
const isQuoted = (text: Binary): boolean => text.startsWith('"') && text.endsWith('"')

function fromJsonText<T>(param: Pick<Param<T>, 'zero' | 'fromJson'>, text: Binary): T {
  return text === 'null' ? param.zero : param.fromJson(text)
}

function refuseHex(goKind: string): RpcError {
  return argumentError(`got a hex string arg, but expected '${goKind}'`)
}

function integerFromUri(text: Binary, kind: IntegerKind): bigint {
  if (INTEGER.test(text)) return parseInteger(text, kind)
  if (isHexText(text)) throw refuseHex(kind.goType)
  return integerFromJson(text, kind)
}

/**
 * Reads an integer that is written as a JSON number. The reference accepts only a string. Returns `undefined` for
 * another form, and for an integer out of range.
 */
function integerFromNumber(raw: Binary, { min, max }: IntegerKind): bigint | undefined {
  if (!JSON_INTEGER.test(raw)) return undefined
  const value = BigInt(raw)
  return value >= min && value <= max ? value : undefined
}

/** Returns the bytes of a JSON string that has `0x` and hex digits; `undefined` for another form. */
function bytesFromPrefixedHex(raw: Binary): Uint8Array | undefined {
  if (!PREFIXED_STRING.test(raw)) return undefined
  try {
    return decodeHex(raw.slice(3, -1))
  } catch {
    return undefined
  }
}

/**
 * Returns the bytes of a JSON string with `0x` and hex digits; `undefined` for any other form. Also returns `undefined`
 * if the string is valid base64, because the reference reads such a string as base64.
 */
function bytesFromHexBesideBase64(raw: Binary): Uint8Array | undefined {
  return plainBase64(raw) === undefined ? bytesFromPrefixedHex(raw) : undefined
}

function boolFromString(raw: Binary): boolean | undefined {
  return raw === '"true"' ? true : raw === '"false"' ? false : undefined
}

const integerSchema: JsonSchema = {
  type: ['string', 'integer'],
  pattern: '^-?[0-9]+$',
  description: 'An integer, in a string or as a number.',
}

function integer(kind: IntegerKind): Param<bigint> {
  const fromJson = (raw: Binary): bigint => integerFromJson(raw, kind)
  return {
    zero: 0n,
    isZero: (value) => value === 0n,
    fromJson,
    fromDocumentJson: (raw) => integerFromNumber(raw, kind),
    fromUri: (text) => (text === 'null' ? 0n : integerFromUri(text, kind)),
    toJson: String,
    schema: integerSchema,
  }
}

function optionalInteger(kind: IntegerKind): Param<bigint | undefined> {
  return {
    zero: undefined,
    isZero: (value) => value === undefined,
    fromJson: (raw) => integerFromJson(raw, kind),
    fromDocumentJson: (raw) => integerFromNumber(raw, kind),
    fromUri: (text) => (text === 'null' ? undefined : integerFromUri(text, kind)),
    toJson: (value) => (value === undefined ? null : String(value)),
    schema: integerSchema,
  }
}

export const int64: Param<bigint> = integer(INT64)
export const uint: Param<bigint> = integer(UINT)
const optionalInt64: Param<bigint | undefined> = optionalInteger(INT64)
/** The parameter `height` of an operation. If the parameter is absent, the operation answers for the latest height. */
export const height: Param<bigint | undefined> = {
  ...optionalInt64,
  zeroIsLatest: true,
  schema: { ...integerSchema, description: 'A height; the latest if absent or 0.' },
}
/** The parameter `after_height`, which the reference does not have. */
export const afterHeight: Param<bigint | undefined> = {
  ...optionalInt64,
  schema: {
    ...integerSchema,
    description: 'A height. The events of the blocks after it are sent first, then new events.',
  },
}
export const optionalInt: Param<bigint | undefined> = optionalInteger(INT)

export const string: Param<string> = {
  zero: '',
  isZero: (value) => value === '',
  fromJson: stringFromJson,
  fromUri: (text) => {
    if (isHexText(text)) return bytesToUtf8(decodeHex(text.slice(2)))
    return stringFromJson(text)
  },
  toJson: (value) => value,
  schema: { type: 'string' },
}
/** The parameter `chain_id`, which the reference does not have. */
export const chainId: Param<string> = {
  ...string,
  schema: {
    ...string.schema,
    description:
      'The id of the chain in which `after_height` is a height. If the node has a different chain, the call fails.',
  },
}
/** The parameter `block_hash`, which the reference does not have. */
export const blockHash: Param<string> = {
  ...string,
  schema: {
    type: 'string',
    pattern: '^([0-9a-fA-F]{8,64})?$',
    description:
      'The hash of the block at `after_height`, or its first hex digits (8 or more). If the node has a different block at this height, the call fails.',
  },
}

export const bool: Param<boolean> = {
  zero: false,
  isZero: (value) => !value,
  fromJson: boolFromJson,
  fromDocumentJson: boolFromString,
  fromUri: (text) => {
    if (isHexText(text)) throw refuseHex('bool')
    return boolFromJson(text)
  },
  toJson: (value) => value,
  schema: { type: 'boolean' },
}

function bytesFromUri(text: Binary, fromJson: (raw: Binary) => Uint8Array): Uint8Array {
  if (isHexText(text)) return decodeHex(text.slice(2))
  if (isQuoted(text)) return utf8ToBytes(stringFromJson(text))
  return fromJsonText({ zero: EMPTY_BYTES, fromJson }, text)
}

function byteString(goType: string, description: string): Param<Uint8Array> {
  const fromJson = (raw: Binary): Uint8Array => bytesFromJson(raw, goType)
  return {
    zero: EMPTY_BYTES,
    isZero: (value) => value.length === 0,
    fromJson,
    fromDocumentJson: bytesFromHexBesideBase64,
    fromUri: (text) => bytesFromUri(text, fromJson),
    toJson: bytesToBase64,
    schema: { type: 'string', contentEncoding: 'base64', description },
  }
}

/** A parameter for bytes. Its JSON is base64, or an array of numbers. */
export const bytes: Param<Uint8Array> = byteString('[]uint8', 'Bytes in base64.')
/** A parameter whose value is the bytes of a transaction. */
export const tx: Param<Uint8Array> = byteString('types.Tx', 'The bytes of a transaction in base64.')

/** A parameter for bytes. Its JSON is a string of hex digits. */
export const hexBytes: Param<Uint8Array> = {
  zero: EMPTY_BYTES,
  isZero: (value) => value.length === 0,
  fromJson: hexFromJson,
  fromDocumentJson: bytesFromPrefixedHex,
  fromUri: (text) => bytesFromUri(text, hexFromJson),
  toJson: bytesToHex,
  schema: { type: 'string', pattern: '^(0x)?([0-9a-fA-F]{2})*$', description: 'Bytes in hex.' },
}

/** A parameter for a list of strings. */
export const strings: Param<readonly string[]> = {
  zero: [],
  isZero: (value) => value.length === 0,
  fromJson: (raw) => rawListOf(scanWhole(raw)).map((item) => (item === 'null' ? '' : stringFromJson(item))),
  fromUri: (text) => {
    if (isHexText(text)) throw refuseHex('slice')
    return fromJsonText(strings, text)
  },
  toJson: (value) => value,
  schema: { type: 'array', items: { type: 'string' } },
}
