import { bytesToBase64, bytesToHex } from '@org/types/bytes'
import type { Json } from '@org/types/schema'
import { argumentError } from '../errors.ts'
import { type Binary, binaryOfText } from './binary.ts'
import { fieldsOf, kindOf, mapOf, mismatch, rawListOf, textOf } from './decode.ts'
import { goTime } from './go-time.ts'
import { quoteText } from './quote.ts'
import { scanWhole } from './scan.ts'
import { bytesFromJson, hexFromJson, INT64, type IntegerKind, integerFromJson, stringFromJson } from './values.ts'

/**
 * Reads a raw value of one Go type. Returns the value as plain JSON in one form: for example, bytes become base64, even
 * if `raw` has the bytes as a list of numbers. Throws the reference's error for the first fault, in the order in which
 * the reference checks the value.
 *
 * If `raw` is part of a list or an object whose syntax was checked, `isScanned` is true, and the syntax of `raw` is not
 * checked again. Without `isScanned`, a value in nested lists and objects would be checked once per level of nesting.
 */
export type AminoReader = (raw: Binary, isScanned?: boolean) => Json

const nullable =
  (read: AminoReader): AminoReader =>
  (raw, isScanned) =>
    raw === 'null' ? null : read(raw, isScanned)

const whole = (raw: Binary, isScanned = false): Binary => (isScanned ? raw : scanWhole(raw))

export const int64: AminoReader = nullable((raw) => integerFromJson(raw, INT64).toString())
export const text: AminoReader = nullable((raw) => stringFromJson(raw))
export const hex: AminoReader = nullable((raw) => bytesToHex(hexFromJson(raw)))

/** Bytes as base64, or as a list of numbers. {@link rawListOf} refuses a list with too many numbers. */
export const base64: AminoReader = nullable((raw, isScanned) => {
  if (raw.startsWith('[')) rawListOf(whole(raw, isScanned))
  return bytesToBase64(bytesFromJson(raw, '[]uint8', isScanned))
})

/** An integer of at most 32 bits: a number in JSON. */
export function integer({ goType, min, max }: IntegerKind): AminoReader {
  return nullable((raw) => {
    const value = scanWhole(raw)
    const found = kindOf(value)
    if (found !== 'number') throw mismatch(found, goType)
    // The regular expression for unsigned types also refuses -0.
    const digits = min < 0n ? /^-?[0-9]{1,12}$/ : /^[0-9]{1,12}$/
    const number = digits.test(value) ? BigInt(value) : undefined
    if (number === undefined || number < min || number > max) throw mismatch(`number ${value}`, goType)
    return Number(number)
  })
}

/** A time in UTC. */
export const time: AminoReader = nullable((raw) => {
  if (raw.length < 2 || !raw.startsWith('"') || !raw.endsWith('"'))
    throw argumentError(`JSON time must be an RFC3339 string, but got ${quoteText(raw)}`)
  if (raw.at(-2) !== 'Z') throw argumentError(`JSON time must be UTC and end with 'Z', but got ${quoteText(raw)}`)
  return goTime(raw.slice(1, -1))
})

export function list(item: AminoReader): AminoReader {
  return nullable((raw, isScanned) => rawListOf(whole(raw, isScanned)).map((one) => item(one, true)))
}

/**
 * An object with the members in the order of the Go struct. Members with other names are ignored, even if a name
 * differs only in the case of letters. Absent members are left out.
 */
export function struct(members: Readonly<Record<string, AminoReader>>): AminoReader {
  return nullable((raw, isScanned) => {
    const value = whole(raw, isScanned)
    const found = kindOf(value)
    if (found !== 'object') throw mismatch(found, 'map[string]json.RawMessage')
    const given = mapOf(value, Object.keys(members))
    const json: Record<string, Json> = {}
    for (const [name, read] of Object.entries(members)) {
      const member = given.get(name)
      if (member !== undefined) json[name] = read(member, true)
    }
    return json
  })
}

export interface TaggedTypes {
  /** The readers of the types that this value may have, by the name of the type in the tag. */
  readonly known: Readonly<Record<string, AminoReader>>
  /** Matches the names of types that the reference has registered, but that are not valid for this value. */
  readonly others: RegExp
}

/** The value of a Go interface: `{ "type": name, "value": … }`. */
export function tagged({ known, others }: TaggedTypes): AminoReader {
  return nullable((raw, isScanned) => {
    const wrapper = whole(raw, isScanned)
    const found = kindOf(wrapper)
    // The function `nullable` accepts a `null` without blanks around it. The reference refuses a `null` with blanks
    // around it, because the reference reads this `null` as an object without members. So this reader refuses the
    // `null` too.
    if (found === 'null') throw argumentError('interface type cannot be empty')
    if (found !== 'object') throw mismatch(found, 'json.interfaceWrapper')
    let type = ''
    let value = ''
    for (const [name, member] of fieldsOf(wrapper, ['type', 'value'])) {
      const kind = kindOf(member)
      if (name === 'value') value = member
      else if (kind === 'string') type = textOf(member)
      else if (kind !== 'null') throw mismatch(kind, 'string', 'Go struct field interfaceWrapper.type')
    }
    if (type === '') throw argumentError('interface type cannot be empty')
    if (value === '') throw argumentError('interface value cannot be empty')
    const read = Object.hasOwn(known, type) ? known[type] : undefined
    if (read !== undefined) return { type, value: read(value, true) }
    const name = quoteText(binaryOfText(type))
    throw argumentError(others.test(type) ? `invalid type ${name} for this value` : `unknown type ${name}`)
  })
}
