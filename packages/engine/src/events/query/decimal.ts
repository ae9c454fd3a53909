/**
 * A number as the reference computes with it: a binary fraction `mantissa * 2^exponent`. Integers are exact, other
 * decimals have 125 bits. `infinite` is the sign of an infinity.
 */
export type Decimal = number | BigDecimal

interface BigDecimal {
  readonly mantissa: bigint
  readonly exponent: number
  readonly infinite: -1 | 0 | 1
}

const PRECISION = 125
/** Beyond this power of ten a number compares like an infinity, or like nothing: no query has so many digits. */
const MAX_POWER = 20_000

const INTEGER = /^[+-]?\d+$/
const FLOAT = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:([eEpP])([+-]?\d+))?$/
const LEADING = /^\d+(?:\.\d+)?/

function infinity(sign: -1 | 1): BigDecimal {
  return { mantissa: 0n, exponent: 0, infinite: sign }
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length
}

/** `numerator / denominator * 2^exponent`, rounded to the nearest with {@link PRECISION} bits, ties to even. */
function round(numerator: bigint, denominator: bigint, exponent: number): BigDecimal {
  if (numerator === 0n) return { mantissa: 0n, exponent: 0, infinite: 0 }
  // Two bits more than wanted, and a last one that says whether something follows.
  const shift = PRECISION + 2 - (bitLength(numerator) - bitLength(denominator))
  const scaled = shift >= 0 ? numerator << BigInt(shift) : numerator
  const divisor = shift >= 0 ? denominator : denominator << BigInt(-shift)
  const quotient = scaled / divisor
  const sticky = scaled % divisor !== 0n
  const extra = BigInt(bitLength(quotient) - PRECISION)
  const kept = quotient >> extra
  const rest = quotient - (kept << extra)
  const half = 1n << (extra - 1n)
  const up = rest > half || (rest === half && (sticky || (kept & 1n) === 1n))
  return { mantissa: up ? kept + 1n : kept, exponent: exponent - shift + Number(extra), infinite: 0 }
}

function fromInteger(text: string): Decimal {
  // No exact comparison is lost below 2^53.
  if (text.length <= 15) return Number(text)
  return { mantissa: BigInt(text.startsWith('+') ? text.slice(1) : text), exponent: 0, infinite: 0 }
}

function fromFloat(text: string): Decimal | undefined {
  if (/^[+-]?(?:Inf|inf)$/.test(text)) return infinity(text.startsWith('-') ? -1 : 1)
  const match = FLOAT.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = match[4] ?? '', , kind = '', powerText = '0'] = match
  const power = Number(powerText)
  if (Math.abs(power) > 2 ** 31) return undefined
  const digits = BigInt(whole + fraction)
  const decimal = /[eE]/.test(kind) || kind === '' ? power - fraction.length : -fraction.length
  const binary = /[pP]/.test(kind) ? power : 0
  if (digits !== 0n && decimal + whole.length > MAX_POWER) return infinity(sign === '-' ? -1 : 1)
  const ten = 10n ** BigInt(power < -MAX_POWER ? MAX_POWER : Math.abs(decimal))
  const value = decimal < 0 ? round(digits, ten, binary) : round(digits * ten, 1n, binary)
  return sign === '-' ? { ...value, mantissa: -value.mantissa } : value
}

/** The number of a whole text as Go's `big` parses it: `5`, `-1.5`, `1e3`, `inf`; `undefined` if it is none. */
export function parseDecimal(text: string): Decimal | undefined {
  return INTEGER.test(text) ? fromInteger(text) : fromFloat(text)
}

/** The number at the start of an event's value, such as the 8 of `8atom`; without a sign, as the reference takes it. */
export function leadingDecimal(text: string): Decimal | undefined {
  const digits = LEADING.exec(text)?.[0]
  return digits === undefined ? undefined : parseDecimal(digits)
}

function big(value: Decimal): BigDecimal {
  return typeof value === 'number' ? { mantissa: BigInt(value), exponent: 0, infinite: 0 } : value
}

/** Less than, equal to or greater than 0. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const left = big(a)
  const right = big(b)
  if (left.infinite !== 0 || right.infinite !== 0) return left.infinite - right.infinite
  const exponent = Math.min(left.exponent, right.exponent)
  const x = left.mantissa << BigInt(left.exponent - exponent)
  const y = right.mantissa << BigInt(right.exponent - exponent)
  return x < y ? -1 : x > y ? 1 : 0
}

/** The integer part as Go's `Float.Int64` gives it, within the safe integers. */
export function truncateDecimal(value: Decimal): number {
  if (typeof value === 'number') return Math.trunc(value)
  if (value.infinite !== 0) return value.infinite * Number.MAX_SAFE_INTEGER
  const { mantissa, exponent } = value
  const whole = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa / (1n << BigInt(-exponent))
  const limit = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(whole > limit ? limit : whole < -limit ? -limit : whole)
}
