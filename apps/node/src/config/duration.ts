/** Nanoseconds of each unit that a duration may have. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
/**
 * The maximum number of characters of a duration. The time to read a longer number would grow with the square of its
 * length.
 */
const MAX_LENGTH = 1000
const MAX_INT64 = 2n ** 63n - 1n

/**
 * Reads a duration such as `1h2m3.5s`, `100ms` or `0`. Returns nanoseconds; `undefined` if the text is not a duration.
 */
export function parseDuration(text: string): bigint | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const sign = text.startsWith('-') ? -1n : 1n
  const body = text.replace(/^[+-]/, '')
  if (body === '0') return 0n
  const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y
  let total = 0n
  do {
    const [, whole = '', fraction = '', unit = ''] = part.exec(body) ?? []
    if (whole === '' && fraction === '') return undefined
    const nanos = UNITS[unit] ?? 0n
    total += BigInt(whole === '' ? 0 : whole) * nanos
    if (fraction !== '') total += (BigInt(fraction) * nanos) / 10n ** BigInt(fraction.length)
  } while (part.lastIndex < body.length)
  return total > MAX_INT64 ? undefined : sign * total
}

/** Converts nanoseconds to milliseconds, the unit of timers. */
export const durationToMs = (duration: bigint): number => Number(duration) / 1e6
