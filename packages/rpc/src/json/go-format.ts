import type { Json } from '@org/types/schema'

/** Go's `%v` of a float64: the fewest digits, with an exponent from 1e+06 and below 1e-04. */
function formatFloat(value: number): string {
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Go's `%v` of a decoded JSON value. */
export function formatValue(value: Json): string {
  if (value === null) return '<nil>'
  if (typeof value === 'number') return formatFloat(value)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map(formatValue).join(' ')}]`
  const members = Object.entries(value as { readonly [key: string]: Json }).sort(([a], [b]) => (a < b ? -1 : 1))
  return `map[${members.map(([key, member]) => `${key}:${formatValue(member)}`).join(' ')}]`
}

/** Go's `%v` of a byte slice: `[34 120 34]`. */
export function formatBytes(text: string): string {
  let shown = '['
  for (let i = 0; i < text.length; i++) shown += i === 0 ? text.charCodeAt(i) : ` ${text.charCodeAt(i)}`
  return `${shown}]`
}

/** A number's text as Go's int of its float64: truncated; out of range on amd64 is the smallest int64. */
export function truncateToInt64(value: number): bigint {
  const truncated = Math.trunc(value)
  if (truncated >= 2 ** 63 || truncated < -(2 ** 63)) return -(2n ** 63n)
  return BigInt(truncated)
}
