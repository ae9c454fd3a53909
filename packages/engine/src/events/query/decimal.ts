/**
 * A number with the precision of the reference. A small integer is a `number`. Any other number is a `BigDecimal`,
 * whose value is `mantissa * 2^exponent`. The value of an integer is exact, and any other value is rounded to 125
 * bits. `infinite` is the sign of an infinite number; it is 0 for a finite number.
 */
export type Decimal = number | BigDecimal

interface BigDecimal {
  readonly mantissa: bigint
  readonly exponent: number
  readonly infinite: -1 | 0 | 1
}

const PRECISION = 125
const ZERO = 48
/**
 * The largest exponent, of ten or of two, with which this file calculates. A number with an exponent above `MAX_POWER`
 * is compared as if it were infinite. An exponent below `-MAX_POWER` is replaced by `-MAX_POWER`. Without these rules,
 * a short text in a query, such as `1e1000000`, would create a number with a million digits.
 */
const MAX_POWER = 20_000
/**
 * The maximum number of digits with which this file calculates. An event's value may have a million digits, and
 * arithmetic with so many digits takes quadratic time. A longer integer compares like an infinity. Further digits of a
 * fraction affect only the rounding.
 */
const MAX_DIGITS = 1024

const INTEGER = /^[+-]?\d+$/
const FLOAT = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:([eEpP])([+-]?\d+))?$/
const LEADING = /^\d+(?:\.\d+)?/

function infinity(sign: -1 | 1): BigDecimal {
  return { mantissa: 0n, exponent: 0, infinite: sign }
}

function bitLength(value: bigint): number {
  return value === 0n ? 0 : value.toString(2).length
}

/**
 * Returns `numerator / denominator * 2^exponent`, rounded to the nearest number with {@link PRECISION} bits. If two
 * numbers are equally near, the one with the even mantissa is returned.
 */
function round(numerator: bigint, denominator: bigint, exponent: number): BigDecimal {
  if (numerator === 0n) return { mantissa: 0n, exponent: 0, infinite: 0 }
  // The quotient gets at least two bits more than the precision. The additional bits, and `sticky`, decide whether the
  // result is rounded up. `sticky` is true if the division leaves a remainder.
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

/**
 * Returns the position of the first digit that is not 0, or the length of the text if all digits are 0. The loop reads
 * each character at most once.
 */
function skipZeros(digits: string): number {
  let at = 0
  while (at < digits.length && digits.charCodeAt(at) === ZERO) at++
  return at
}

function fromInteger(text: string): Decimal {
  // An integer of at most 15 characters is below 2^53, so a `number` holds it exactly.
  if (text.length <= 15) return Number(text)
  const isNegative = text.startsWith('-')
  const digits = isNegative || text.startsWith('+') ? text.slice(1) : text
  const first = skipZeros(digits)
  if (digits.length - first > MAX_DIGITS) return infinity(isNegative ? -1 : 1)
  const mantissa = BigInt(digits.slice(first) || '0')
  return { mantissa: isNegative ? -mantissa : mantissa, exponent: 0, infinite: 0 }
}

/**
 * Reads digits as a number, but only the first {@link MAX_DIGITS} digits after leading zeros. `value` is the number
 * that was read. `cut` is the number of digits that were left out at its end. If a digit that is not 0 would be left
 * out, `value` gets one more digit, which is 1. With this digit, the number is rounded correctly.
 */
function shorten(digits: string): { readonly value: bigint; readonly cut: number } {
  const first = skipZeros(digits)
  const kept = digits.slice(first, first + MAX_DIGITS)
  const rest = digits.slice(first + MAX_DIGITS)
  if (rest === '') return { value: BigInt(kept || '0'), cut: 0 }
  const isExact = skipZeros(rest) === rest.length
  return { value: BigInt(isExact ? kept : `${kept}1`), cut: isExact ? rest.length : rest.length - 1 }
}

function fromFloat(text: string): Decimal | undefined {
  if (/^[+-]?(?:Inf|inf)$/.test(text)) return infinity(text.startsWith('-') ? -1 : 1)
  const match = FLOAT.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = match[4] ?? '', , kind = '', powerText = '0'] = match
  const power = Number(powerText)
  if (Math.abs(power) > 2 ** 31) return undefined
  const { value: digits, cut } = shorten(whole + fraction)
  const isBinary = kind === 'p' || kind === 'P'
  const decimal = (isBinary ? 0 : power) - fraction.length + cut
  const binary = isBinary ? power : 0
  if (digits === 0n) return { mantissa: 0n, exponent: 0, infinite: 0 }
  if (decimal > MAX_POWER || binary > MAX_POWER) return infinity(sign === '-' ? -1 : 1)
  const ten = 10n ** BigInt(Math.min(MAX_POWER, Math.abs(decimal)))
  const small = Math.max(binary, -MAX_POWER)
  const value = decimal < 0 ? round(digits, ten, small) : round(digits * ten, 1n, small)
  return sign === '-' ? { ...value, mantissa: -value.mantissa } : value
}

/**
 * Parses a whole text as a number, as Go's package `big` does, for example `5`, `-1.5`, `1e3` or `inf`. Returns
 * `undefined` for any other text.
 */
export function parseDecimal(text: string): Decimal | undefined {
  return INTEGER.test(text) ? fromInteger(text) : fromFloat(text)
}

/**
 * Parses the number at the start of an event's value, such as the 8 of `8atom`. As in the reference, a sign is not
 * allowed.
 */
export function leadingDecimal(text: string): Decimal | undefined {
  const digits = LEADING.exec(text)?.[0]
  return digits === undefined ? undefined : parseDecimal(digits)
}

function big(value: Decimal): BigDecimal {
  return typeof value === 'number' ? { mantissa: BigInt(value), exponent: 0, infinite: 0 } : value
}

/**
 * Returns a negative number if `a` is less than `b`, 0 if they are equal, and a positive number if `a` is greater than
 * `b`.
 */
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

/**
 * Returns the integer part of the number, as Go's `Float.Int64` does. If the integer part is not a safe integer,
 * returns the nearest safe integer.
 */
export function truncateDecimal(value: Decimal): number {
  if (typeof value === 'number') return Math.trunc(value)
  if (value.infinite !== 0) return value.infinite * Number.MAX_SAFE_INTEGER
  const { mantissa, exponent } = value
  const whole = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa / (1n << BigInt(-exponent))
  const limit = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(whole > limit ? limit : whole < -limit ? -limit : whole)
}
