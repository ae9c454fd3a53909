import { base64ToBytes, bytesToBase64, bytesToHex, hexToBytes } from '../bytes/index.ts'
import type { Cursor } from './cursor.ts'
import { SCHEMA_ERRORS, SchemaError } from './errors.ts'
import { type Json, jsonError } from './json.ts'
import type { Writer } from './writer.ts'

/** The wire types of protobuf. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const
export type WireType = (typeof WIRE)[keyof typeof WIRE]

/**
 * The form of one value on the wire (after its tag) and in JSON. The members that have a parameter of the type `T` are
 * methods. TypeScript compares the parameters of methods less strictly than those of function properties. So a table
 * can hold codecs of every type as `Codec<unknown>`.
 */
export interface Codec<T> {
  readonly wireType: WireType
  /** The value that represents an absent field. */
  readonly zero: T
  isZero(this: void, value: T): boolean
  write(this: void, writer: Writer, value: T): void
  readonly read: (cursor: Cursor) => T
  /**
   * Merges a second occurrence of a field into the value of the first, as protobuf requires. Only messages have this
   * method.
   */
  merge?(this: void, cursor: Cursor, old: T): T
  toJson(this: void, value: T): Json
  readonly fromJson: (json: Json, path: string) => T
}

/** An empty byte array. It is the value of an absent bytes field. */
export const EMPTY_BYTES: Uint8Array = new Uint8Array(0)

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }
const UINT64 = { min: 0n, max: 2n ** 64n - 1n }

function inRange(value: bigint, range: { readonly min: bigint; readonly max: bigint }): bigint {
  if (value >= range.min && value <= range.max) return value
  throw new SchemaError(SCHEMA_ERRORS.value, `${value} does not fit 64 bits`, { data: { value: value.toString() } })
}

function safe(value: number): number {
  if (Number.isSafeInteger(value)) return value
  throw new SchemaError(SCHEMA_ERRORS.unsafeInteger, `${value} is not a safe integer`, { data: { value } })
}

function safeUnsigned(value: number): number {
  if (value >= 0) return safe(value)
  throw new SchemaError(SCHEMA_ERRORS.value, `${value} is negative`, { data: { value } })
}

/** The maximum number of characters of an integer in JSON: a sign, 19 or 20 digits, and zeros before them. */
const MAX_DIGITS = 40

const int64FromJson =
  (range: { min: bigint; max: bigint }) =>
  (json: Json, path: string): bigint => {
    // A text of a million digits would take long to read, so it is refused by its length.
    if (typeof json !== 'string' || json.length > MAX_DIGITS || !/^-?\d+$/.test(json))
      throw jsonError(path, 'an integer in a string')
    const value = BigInt(json)
    if (value < range.min || value > range.max) throw jsonError(path, 'an integer of 64 bits')
    return value
  }

const isZeroBigint = (value: bigint): boolean => value === 0n
const isZeroNumber = (value: number): boolean => value === 0

/** The codec of `int64`, as a bigint. */
export const int64: Codec<bigint> = {
  wireType: WIRE.varint,
  zero: 0n,
  isZero: isZeroBigint,
  write: (w, v) => w.bigint(inRange(v, INT64)),
  read: (c) => c.int64(),
  toJson: String,
  fromJson: int64FromJson(INT64),
}

/** The codec of `uint64`, as a bigint. */
export const uint64: Codec<bigint> = {
  ...int64,
  write: (w, v) => w.bigint(inRange(v, UINT64)),
  read: (c) => c.uint64(),
  fromJson: int64FromJson(UINT64),
}

/** The codec of an int64 that is a height, a count or an index: a checked safe integer in memory, a string in JSON. */
export const safeInt64: Codec<number> = {
  wireType: WIRE.varint,
  zero: 0,
  isZero: isZeroNumber,
  write: (w, v) => w.safeInt(safe(v)),
  read: (c) => c.safeInt64(),
  toJson: String,
  fromJson: (json, path) => safe(Number(int64.fromJson(json, path))),
}

/** The codec of a uint64 that is a height: a checked safe integer in memory, a string in JSON. */
export const safeUint64: Codec<number> = {
  ...safeInt64,
  write: (w, v) => w.safeInt(safeUnsigned(v)),
  read: (c) => c.safeUint64(),
  fromJson: (json, path) => safe(Number(uint64.fromJson(json, path))),
}

/** The codec of `sfixed64`, as a bigint. */
export const sfixed64: Codec<bigint> = {
  ...int64,
  wireType: WIRE.fixed64,
  write: (w, v) => w.bigintFixed64(inRange(v, INT64)),
  read: (c) => c.sfixed64(),
}

/** The codec of `sfixed64` as a number. A value above 2^53 - 1 is refused. */
export const safeSfixed64: Codec<number> = {
  ...safeInt64,
  wireType: WIRE.fixed64,
  write: (w, v) => w.safeFixed64(safe(v)),
  read: (c) => c.safeSfixed64(),
}

const numberFromJson =
  (min: number, max: number) =>
  (json: Json, path: string): number => {
    if (typeof json !== 'number' || !Number.isInteger(json) || json < min || json > max)
      throw jsonError(path, 'an integer')
    return json
  }

/** The codec of `int32`. */
export const int32: Codec<number> = {
  wireType: WIRE.varint,
  zero: 0,
  isZero: isZeroNumber,
  write: (w, v) => w.int32(v),
  read: (c) => c.int32(),
  toJson: (v) => v,
  fromJson: numberFromJson(-(2 ** 31), 2 ** 31 - 1),
}

/** The codec of `uint32`. */
export const uint32: Codec<number> = {
  ...int32,
  write: (w, v) => w.uint32(v),
  read: (c) => c.uint32(),
  fromJson: numberFromJson(0, 2 ** 32 - 1),
}

/**
 * Makes the codec of an enum, whose values are numbers on the wire and in JSON. Unknown numbers are accepted, as in
 * proto3.
 */
/* @__NO_SIDE_EFFECTS__ */
export function enumeration<T extends number>(): Codec<T> {
  return int32 as unknown as Codec<T>
}

/** Makes the codec of an enum that Go keeps in a byte: higher bits are dropped on reading. */
/* @__NO_SIDE_EFFECTS__ */
export function byteEnumeration<T extends number>(): Codec<T> {
  return { ...int32, read: (c: Cursor) => c.int32() & 0xff } as unknown as Codec<T>
}

/** The codec of `bool`. */
export const bool: Codec<boolean> = {
  wireType: WIRE.varint,
  zero: false,
  isZero: (v) => !v,
  write: (w, v) => w.bool(v),
  read: (c) => c.bool(),
  toJson: (v) => v,
  fromJson: (json, path) => {
    if (typeof json !== 'boolean') throw jsonError(path, 'true or false')
    return json
  },
}

/** The codec of `string`. */
export const string: Codec<string> = {
  wireType: WIRE.bytes,
  zero: '',
  isZero: (v) => v === '',
  write: (w, v) => w.string(v),
  read: (c) => c.string(),
  toJson: (v) => v,
  fromJson: (json, path) => {
    if (typeof json !== 'string') throw jsonError(path, 'a string')
    return json.isWellFormed() ? json : json.toWellFormed()
  },
}

/** The codec of bytes, which are base64 in JSON. */
export const bytes: Codec<Uint8Array> = {
  wireType: WIRE.bytes,
  zero: EMPTY_BYTES,
  isZero: (v) => v.length === 0,
  write: (w, v) => w.bytes(v),
  read: (c) => c.view(),
  toJson: bytesToBase64,
  fromJson: (json, path) => {
    if (json === null) return EMPTY_BYTES
    const value = typeof json === 'string' ? base64ToBytes(json) : undefined
    if (value === undefined) throw jsonError(path, 'base64')
    return value
  },
}

/** The codec of bytes, which are upper-case hex in JSON. */
export const hexBytes: Codec<Uint8Array> = {
  ...bytes,
  toJson: bytesToHex,
  fromJson: (json, path) => {
    const value = typeof json === 'string' ? hexToBytes(json) : undefined
    if (value === undefined) throw jsonError(path, 'hex')
    return value
  },
}
