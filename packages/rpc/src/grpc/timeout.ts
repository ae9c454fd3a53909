import { quoteText } from '../json/quote.ts'

/** The length of each unit of the header `grpc-timeout`, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }

/** If the header is invalid, the error repeats at most this number of its characters. */
const SHOWN = 64

/**
 * Reads the header `grpc-timeout`: up to eight digits and a unit. Returns milliseconds, `undefined` if the header is
 * missing, or the reference's error text if the header is invalid.
 */
export function parseTimeout(header: string | readonly string[] | undefined): number | string | undefined {
  if (header === undefined) return undefined
  const text = typeof header === 'string' ? header : header.join(', ')
  const quoted = quoteText(text.slice(0, SHOWN))
  if (text.length < 2) return `transport: timeout string is too short: ${quoted}`
  if (text.length > 9) return `transport: timeout string is too long: ${quoted}`
  const unit = Object.hasOwn(UNITS, text.slice(-1)) ? UNITS[text.slice(-1)] : undefined
  if (unit === undefined) return `transport: timeout unit is not recognized: ${quoted}`
  const digits = text.slice(0, -1)
  if (!/^[+-]?\d+$/.test(digits)) return `strconv.ParseInt: parsing ${quoteText(digits)}: invalid syntax`
  return Number(digits) * unit
}
