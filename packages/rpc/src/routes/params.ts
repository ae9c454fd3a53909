import { bytesToBase64, bytesToHex, bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { EMPTY_BYTES, type Json } from '@org/types/schema'
import { argumentError, panic, type RpcError } from '../errors.ts'
import {
  type Binary,
  bytesOfBinary,
  decodeBase64,
  decodeHex,
  elementsOf,
  kindOf,
  mismatch,
  quoteText,
  rawListOf,
  scanWhole,
  textOf,
} from '../json/index.ts'

/** A JSON Schema, for the documents. */
export type JsonSchema = { readonly [key: string]: unknown }

/** How one kind of argument is read from JSON and from a URI, and what it is when absent. */
export interface Param<T> {
  /** The value when the argument is absent or `null`. */
  readonly zero: T
  readonly isZero: (value: T) => boolean
  /** From a raw JSON value other than `null`, which may still be invalid. Throws with the reference's words. */
  readonly fromJson: (raw: Binary) => T
  /** From the text of a URI or form, not empty. */
  readonly fromUri: (text: Binary) => T
  /** What a client sends. */
  readonly toJson: (value: T) => Json
  readonly schema: JsonSchema
  /** A height: 0 means the latest, as if absent, unless the node is strict. */
  readonly zeroIsLatest?: boolean
}

export type ParamValue<P> = P extends Param<infer T> ? T : never

const INTEGER = /^-?[0-9]+$/
const isHexText = (text: Binary): boolean => /^0x/i.test(text)
const isQuoted = (text: Binary): boolean => text.startsWith('"') && text.endsWith('"')

function fromJsonText<T>(param: Pick<Param<T>, 'zero' | 'fromJson'>, text: Binary): T {
  return text === 'null' ? param.zero : param.fromJson(text)
}

function refuseHex(goKind: string): RpcError {
  return argumentError(`got a hex string arg, but expected '${goKind}'`)
}

interface IntegerKind {
  readonly goType: string
  readonly min: bigint
  readonly max: bigint
}

const INT64: IntegerKind = { goType: 'int64', min: -(2n ** 63n), max: 2n ** 63n - 1n }
const INT: IntegerKind = { ...INT64, goType: 'int' }
const UINT: IntegerKind = { goType: 'uint', min: 0n, max: 2n ** 64n - 1n }

/** The integer between the quotes. */
function parseInteger(inner: Binary, kind: IntegerKind): bigint {
  const raw = scanWhole(inner)
  const found = kindOf(raw)
  if (found === 'null') return 0n
  if (found !== 'number') throw mismatch(found, kind.goType)
  const wrong = !INTEGER.test(raw) || (kind === UINT && raw.startsWith('-'))
  // A number with a megabyte of digits is not worth a bigint.
  const value = wrong || raw.length > 40 ? undefined : BigInt(raw)
  if (value === undefined || value < kind.min || value > kind.max) throw mismatch(`number ${raw}`, kind.goType)
  return value
}

function integerFromJson(raw: Binary, kind: IntegerKind): bigint {
  if (!isQuoted(raw)) throw argumentError(`invalid 64-bit integer encoding ${quoteText(raw)}, expected string`)
  if (raw.length === 1) throw panic('runtime error: slice bounds out of range [1:0]')
  return parseInteger(raw.slice(1, -1), kind)
}

function integerFromUri(text: Binary, kind: IntegerKind): bigint {
  if (INTEGER.test(text)) return parseInteger(text, kind)
  if (isHexText(text)) throw refuseHex(kind.goType)
  return integerFromJson(text, kind)
}

const integerSchema: JsonSchema = { type: 'string', pattern: '^-?[0-9]+$', description: 'An integer in a string.' }

function integer(kind: IntegerKind): Param<bigint> {
  const fromJson = (raw: Binary): bigint => integerFromJson(raw, kind)
  return {
    zero: 0n,
    isZero: (value) => value === 0n,
    fromJson,
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
    fromUri: (text) => (text === 'null' ? undefined : integerFromUri(text, kind)),
    toJson: (value) => (value === undefined ? null : String(value)),
    schema: integerSchema,
  }
}

export const int64: Param<bigint> = integer(INT64)
export const uint: Param<bigint> = integer(UINT)
const optionalInt64: Param<bigint | undefined> = optionalInteger(INT64)
/** The height of an operation that answers for the latest when there is none. */
export const height: Param<bigint | undefined> = {
  ...optionalInt64,
  zeroIsLatest: true,
  schema: { ...integerSchema, description: 'A height; the latest if absent or 0.' },
}
export const optionalInt: Param<bigint | undefined> = optionalInteger(INT)

function stringFromJson(raw: Binary): string {
  const value = scanWhole(raw)
  const found = kindOf(value)
  if (found === 'null') return ''
  if (found !== 'string') throw mismatch(found, 'string')
  return textOf(value)
}

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

function boolFromJson(raw: Binary): boolean {
  const value = scanWhole(raw)
  const found = kindOf(value)
  if (found !== 'bool' && found !== 'null') throw mismatch(found, 'bool')
  return value === 'true'
}

export const bool: Param<boolean> = {
  zero: false,
  isZero: (value) => !value,
  fromJson: boolFromJson,
  fromUri: (text) => {
    if (isHexText(text)) throw refuseHex('bool')
    return boolFromJson(text)
  },
  toJson: (value) => value,
  schema: { type: 'boolean' },
}

function byteOf(raw: Binary): number {
  const found = kindOf(raw)
  if (found === 'null') return 0
  if (found !== 'number') throw mismatch(found, 'uint8')
  const value = /^[0-9]{1,3}$/.test(raw) ? Number(raw) : 256
  if (value > 255) throw mismatch(`number ${raw}`, 'uint8')
  return value
}

function bytesFromJson(raw: Binary, goType: string): Uint8Array {
  const value = scanWhole(raw)
  const found = kindOf(value)
  if (found === 'null') return EMPTY_BYTES
  if (found === 'string') return decodeBase64(textOf(value))
  if (found === 'array') return Uint8Array.from(elementsOf(value), byteOf)
  throw mismatch(found, goType)
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
    fromUri: (text) => bytesFromUri(text, fromJson),
    toJson: bytesToBase64,
    schema: { type: 'string', contentEncoding: 'base64', description },
  }
}

/** Bytes; base64 or an array of numbers in JSON. */
export const bytes: Param<Uint8Array> = byteString('[]uint8', 'Bytes in base64.')
/** A transaction. */
export const tx: Param<Uint8Array> = byteString('types.Tx', 'The bytes of a transaction in base64.')

function hexFromJson(raw: Binary): Uint8Array {
  if (raw.length < 2 || !isQuoted(raw)) throw argumentError(`invalid hex string: ${bytesToUtf8(bytesOfBinary(raw))}`)
  return decodeHex(raw.slice(1, -1))
}

/** Bytes; hex in JSON. */
export const hexBytes: Param<Uint8Array> = {
  zero: EMPTY_BYTES,
  isZero: (value) => value.length === 0,
  fromJson: hexFromJson,
  fromUri: (text) => bytesFromUri(text, hexFromJson),
  toJson: bytesToHex,
  schema: { type: 'string', pattern: '^([0-9a-fA-F]{2})*$', description: 'Bytes in hex.' },
}

/** A list of strings. */
export const strings: Param<readonly string[]> = {
  zero: [],
  isZero: (value) => value.length === 0,
  fromJson: (raw) => rawListOf(raw).map((item) => (item === 'null' ? '' : stringFromJson(item))),
  fromUri: (text) => {
    if (isHexText(text)) throw refuseHex('slice')
    return fromJsonText(strings, text)
  },
  toJson: (value) => value,
  schema: { type: 'array', items: { type: 'string' } },
}
