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
const MAX_INT64 = 2n ** 63n - 1n

/** `1h2m3.5s`, `100ms`, `0` → nanoseconds; `undefined` if it is no duration. */
export function parseDuration(text: string): bigint | undefined {
  const sign = text.startsWith('-') ? -1n : 1n
  const body = text.replace(/^[+-]/, '')
  if (body === '0') return 0n
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const nanos = UNITS[unit] ?? 0n
    total += BigInt(whole === '' ? 0 : whole) * nanos
    if (fraction !== '') total += (BigInt(fraction) * nanos) / 10n ** BigInt(fraction.length)
  }
  return total > MAX_INT64 ? undefined : sign * total
}

const withFraction = (value: bigint, unit: bigint): string => {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '')
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`
}

/** Nanoseconds → the reference's form: `168h0m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(duration: bigint): string {
  const sign = duration < 0n ? '-' : ''
  const value = duration < 0n ? -duration : duration
  if (value === 0n) return '0s'
  if (value < 1_000n) return `${sign}${value}ns`
  if (value < 1_000_000n) return `${sign}${withFraction(value, 1_000n)}µs`
  if (value < 1_000_000_000n) return `${sign}${withFraction(value, 1_000_000n)}ms`
  const minute = 60_000_000_000n
  const seconds = `${withFraction(value % minute, 1_000_000_000n)}s`
  if (value < minute) return `${sign}${seconds}`
  const minutes = value / minute
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`
}

/** Nanoseconds → milliseconds, as timers take them. */
export const durationToMs = (duration: bigint): number => Number(duration) / 1e6
