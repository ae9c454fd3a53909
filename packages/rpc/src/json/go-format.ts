import type { Json } from '@org/types/schema'

/**
 * Formats a float64 as Go's `%v` does, with as few digits as possible. Numbers from 1e+06 on and numbers below 1e-04
 * have an exponent.
 */
function formatFloat(value: number): string {
  if (Object.is(value, -0)) return '-0'
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Formats a value that is not a list or an object; returns `undefined` for a list or an object. */
function formatScalar(value: Json): string | undefined {
  if (value === null) return '<nil>'
  if (typeof value === 'number') return formatFloat(value)
  return typeof value === 'object' ? undefined : String(value)
}

/** A list or an object whose members are being written. */
interface Level {
  readonly keys: readonly string[] | undefined
  readonly values: readonly Json[]
  at: number
}

function levelOf(value: Json): Level {
  if (Array.isArray(value)) return { keys: undefined, values: value as readonly Json[], at: 0 }
  const members = Object.entries(value as { readonly [key: string]: Json }).sort(([a], [b]) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  )
  return { keys: members.map(([key]) => key), values: members.map(([, member]) => member), at: 0 }
}

/**
 * Formats a decoded JSON value as Go's `%v` does. Half of a surrogate pair becomes U+FFFD, as in Go. The function is
 * not recursive, because a client may nest thousands of lists. Each character is copied once.
 */
export function formatValue(value: Json): string {
  const pieces: string[] = []
  const levels: Level[] = []
  const write = (one: Json): void => {
    const scalar = formatScalar(one)
    if (scalar !== undefined) pieces.push(scalar)
    else {
      const level = levelOf(one)
      pieces.push(level.keys === undefined ? '[' : 'map[')
      levels.push(level)
    }
  }
  write(value)
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { keys, values, at } = level
    if (at === values.length) {
      pieces.push(']')
      levels.pop()
      continue
    }
    if (at > 0) pieces.push(' ')
    if (keys !== undefined) pieces.push(keys[at] as string, ':')
    level.at++
    write(values[at] as Json)
  }
  return pieces.join('').toWellFormed()
}

/** Formats bytes as Go's `%v` formats a byte slice: `[34 120 34]`. */
export function formatBytes(text: string): string {
  let shown = '['
  for (let i = 0; i < text.length; i++) shown += i === 0 ? text.charCodeAt(i) : ` ${text.charCodeAt(i)}`
  return `${shown}]`
}

/**
 * Converts a float64 to an int as Go does: the fraction is cut off. A value out of range becomes the smallest int64, as
 * in Go on amd64.
 */
export function truncateToInt64(value: number): bigint {
  const truncated = Math.trunc(value)
  if (truncated >= 2 ** 63 || truncated < -(2 ** 63)) return -(2n ** 63n)
  return BigInt(truncated)
}
