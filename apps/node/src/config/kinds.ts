import { formatDuration } from '@org/types'
import { parseDuration } from './duration.ts'

/**
 * Reads and writes values of one kind. `decode` accepts TOML values (string, bigint, number, boolean, array), and the
 * text of a flag or variable. As in the reference, a value may have another TOML type than its kind: `"4"` is accepted
 * as a number, `1` as true, and `"a,b"` as a list.
 */
export interface Kind<T> {
  readonly allowed: string
  /** Returns the value that `raw` means; `undefined` if `raw` is not an allowed value. */
  readonly decode: (raw: unknown) => T | undefined
  toToml(this: void, value: T): string
  /** Whether a command-line flag of this kind needs no argument. */
  readonly bare?: boolean
}

export function quote(text: string): string {
  return JSON.stringify(text).replace(/\u007f/g, '\\u007F')
}

const scalarText = (raw: unknown): string | undefined => {
  if (typeof raw === 'string') return raw
  if (typeof raw === 'boolean') return raw ? '1' : '0'
  return typeof raw === 'bigint' || typeof raw === 'number' ? String(raw) : undefined
}

export const text: Kind<string> = { allowed: 'a text', decode: scalarText, toToml: quote }

export function oneOf(...choices: readonly string[]): Kind<string> {
  return {
    allowed: `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`,
    decode: (raw) => choices.find((choice) => choice === raw),
    toToml: quote,
  }
}

const WORDS: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map((word) => [word, true])),
  ...Object.fromEntries(['', '0', 'f', 'F', 'FALSE', 'false', 'False'].map((word) => [word, false])),
}

export const flag: Kind<boolean> = {
  allowed: 'true or false',
  bare: true,
  decode: (raw) => {
    if (typeof raw === 'boolean') return raw
    if (typeof raw === 'bigint' || typeof raw === 'number') return Number(raw) !== 0
    return typeof raw === 'string' ? WORDS[raw] : undefined
  },
  toToml: String,
}

/** The maximum number of characters of an integer: enough for 64 binary digits, a prefix and a sign. */
const MAX_LENGTH = 80

const wholeNumber = (raw: unknown): bigint | undefined => {
  if (typeof raw === 'bigint') return raw
  if (typeof raw === 'boolean') return raw ? 1n : 0n
  if (typeof raw === 'number') return Number.isFinite(raw) ? BigInt(Math.trunc(raw)) : undefined
  if (raw === '') return 0n
  const match =
    typeof raw === 'string' && raw.length <= MAX_LENGTH ? /^([+-]?)(0x[\da-f]+|0o[0-7]+|0b[01]+|\d+)$/i.exec(raw) : null
  if (match === null) return undefined
  const digits = (match[2] ?? '').replace(/^0(?=[0-7]+$)/, '0o')
  try {
    return match[1] === '-' ? -BigInt(digits) : BigInt(digits)
  } catch {
    return undefined
  }
}

export interface IntegerRange {
  readonly min?: number
  readonly max?: number
  /** Whether the number is written in quotes, as the reference writes `chunk_fetchers`. */
  readonly quoted?: boolean
}

export function integer({ min = 0, max = Number.MAX_SAFE_INTEGER, quoted = false }: IntegerRange = {}): Kind<number> {
  return {
    allowed: max === Number.MAX_SAFE_INTEGER ? `a whole number from ${min}` : `a whole number from ${min} to ${max}`,
    decode: (raw) => {
      const value = wholeNumber(raw)
      return value !== undefined && value >= BigInt(min) && value <= BigInt(max) ? Number(value) : undefined
    },
    toToml: (value) => (quoted ? `"${value}"` : String(value)),
  }
}

/** The kind of a file's permissions: a text of octal digits, as for `chmod`. */
export const fileMode: Kind<number> = {
  allowed: 'three or four octal digits in quotes, such as "0660"',
  decode: (raw) => (typeof raw === 'string' && /^0?[0-7]{3}$/.test(raw) ? Number.parseInt(raw, 8) : undefined),
  toToml: (value) => `"0${value.toString(8).padStart(3, '0')}"`,
}

/**
 * The kind of a duration, in nanoseconds. As in the reference, a number without a unit in the file means nanoseconds.
 */
export function duration({ min = 0n }: { readonly min?: bigint } = {}): Kind<bigint> {
  return {
    allowed: `a duration such as "500ms", "3s" or "1h30m", ${min === 0n ? 'not negative' : 'above zero'}`,
    decode: (raw) => {
      const value = typeof raw === 'string' ? parseDuration(raw) : wholeNumber(raw)
      return value !== undefined && value >= min ? value : undefined
    },
    toToml: (value) => `"${formatDuration(value)}"`,
  }
}

const decodeList = (raw: unknown): readonly string[] | undefined => {
  if (typeof raw === 'string') return raw === '' ? [] : raw.split(',')
  if (!Array.isArray(raw)) return undefined
  const items = raw.map(scalarText)
  return items.every((item) => item !== undefined) ? items : undefined
}

export const list: Kind<readonly string[]> = {
  allowed: 'a list of texts',
  decode: decodeList,
  toToml: (items) => `[${items.map((item) => `${quote(item)}, `).join('')}]`,
}

/** The kind of a list that is written as one text, separated by commas. */
export const commaList: Kind<readonly string[]> = { ...list, toToml: (items) => quote(items.join(',')) }
