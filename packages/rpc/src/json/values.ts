import { bytesToUtf8 } from '@org/types/bytes'
import { EMPTY_BYTES } from '@org/types/schema'
import { argumentError, panic } from '../errors.ts'
import { decodeBase64, plainBase64 } from './base64.ts'
import { type Binary, bytesOfBinary } from './binary.ts'
import { kindOf, mismatch, textOf } from './decode.ts'
import { decodeHex } from './hex.ts'
import { ownText } from './own-text.ts'
import { quoteText } from './quote.ts'
import { scanWhole } from './scan.ts'
import { visitElements } from './visit.ts'

/*
 * Readers of single values of the reference's JSON, in which 64-bit integers are strings. Each reader takes a raw value
 * other than `null`. If the value is invalid, the reader throws with the reference's words.
 */

export interface IntegerKind {
  readonly goType: string
  readonly min: bigint
  readonly max: bigint
}

export const INT64: IntegerKind = { goType: 'int64', min: -(2n ** 63n), max: 2n ** 63n - 1n }
export const INT: IntegerKind = { ...INT64, goType: 'int' }
export const UINT: IntegerKind = { goType: 'uint', min: 0n, max: 2n ** 64n - 1n }

/** Returns the integer in the text between the quotes of a JSON string; 0 for the text `null`. */
export function parseInteger(inner: Binary, kind: IntegerKind): bigint {
  const raw = scanWhole(inner)
  const found = kindOf(raw)
  if (found === 'null') return 0n
  if (found !== 'number') throw mismatch(found, kind.goType)
  const wrong = !/^-?[0-9]+$/.test(raw) || (kind.min === 0n && raw.startsWith('-'))
  // The length is checked first, because the number may have a megabyte of digits.
  const value = wrong || raw.length > 40 ? undefined : BigInt(raw)
  if (value === undefined || value < kind.min || value > kind.max) throw mismatch(`number ${raw}`, kind.goType)
  return value
}

export function integerFromJson(raw: Binary, kind: IntegerKind): bigint {
  if (!(raw.startsWith('"') && raw.endsWith('"')))
    throw argumentError(`invalid 64-bit integer encoding ${quoteText(raw)}, expected string`)
  if (raw.length === 1) throw panic('runtime error: slice bounds out of range [1:0]')
  return parseInteger(raw.slice(1, -1), kind)
}

export function stringFromJson(raw: Binary): string {
  const value = scanWhole(raw)
  const found = kindOf(value)
  if (found === 'null') return ''
  if (found !== 'string') throw mismatch(found, 'string')
  return ownText(textOf(value))
}

export function boolFromJson(raw: Binary): boolean {
  const value = scanWhole(raw)
  const found = kindOf(value)
  if (found !== 'bool' && found !== 'null') throw mismatch(found, 'bool')
  return value === 'true'
}

function byteOf(raw: Binary): number {
  const found = kindOf(raw)
  if (found === 'null') return 0
  if (found !== 'number') throw mismatch(found, 'uint8')
  const value = /^[0-9]{1,3}$/.test(raw) ? Number(raw) : 256
  if (value > 255) throw mismatch(`number ${raw}`, 'uint8')
  return value
}

const ZERO = 48

/**
 * Returns the bytes that a valid JSON array of numbers represents. Each number is the value of one byte. A number of
 * one digit is read without a copy of its text, because an array may have half a million elements.
 */
function bytesOfList(array: Binary): Uint8Array {
  // In the text of the array, each element takes at least two characters: one digit, and a comma or bracket after it.
  // So half of the length is enough room for the bytes.
  const list = new Uint8Array(array.length >> 1)
  let count = 0
  visitElements(array, (from, end) => {
    const digit = array.charCodeAt(from) - ZERO
    list[count++] = end - from === 1 && digit >= 0 && digit <= 9 ? digit : byteOf(array.slice(from, end))
    return true
  })
  return list.slice(0, count)
}

/** Reads bytes. `isScanned` is true if the syntax of the value was checked before. */
export function bytesFromJson(raw: Binary, goType: string, isScanned = false): Uint8Array {
  const plain = plainBase64(raw)
  if (plain !== undefined) return plain
  const value = isScanned ? raw : scanWhole(raw)
  const found = kindOf(value)
  if (found === 'null') return EMPTY_BYTES
  if (found === 'string') return decodeBase64(textOf(value))
  if (found === 'array') return bytesOfList(value)
  throw mismatch(found, goType)
}

export function hexFromJson(raw: Binary): Uint8Array {
  if (raw.length < 2 || !(raw.startsWith('"') && raw.endsWith('"')))
    throw argumentError(`invalid hex string: ${bytesToUtf8(bytesOfBinary(raw))}`)
  return decodeHex(raw.slice(1, -1))
}
