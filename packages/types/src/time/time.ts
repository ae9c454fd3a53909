/** Nanoseconds since 1970-01-01 UTC. */
export type Time = bigint

/** Go's zero time, 0001-01-01T00:00:00Z. */
export const ZERO_TIME: Time = -62_135_596_800_000_000_000n

const NANOS = 1_000_000_000n
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/

/** RFC 3339 in UTC with as many digits of the second as there are, as Go's RFC3339Nano. */
export function formatTime(time: Time): string {
  let seconds = time / NANOS
  let nanos = Number(time - seconds * NANOS)
  if (nanos < 0) {
    seconds -= 1n
    nanos += 1e9
  }
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -5)
  if (nanos === 0) return `${whole}Z`
  let digits = 9
  while (nanos % 10 === 0) {
    nanos /= 10
    digits -= 1
  }
  return `${whole}.${String(nanos).padStart(digits, '0')}Z`
}

/** The time of an RFC 3339 text, kept to the nanosecond; `undefined` for any other text. */
export function parseTime(text: string): Time | undefined {
  const match = RFC3339.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match as unknown as readonly string[]
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second))
  const valid =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60
  if (!valid) return undefined
  const offset = zone === 'Z' ? 0 : Number(`${zone?.[0]}1`) * (Number(zone?.slice(1, 3)) * 60 + Number(zone?.slice(4)))
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'))
  return BigInt(date.getTime() / 1000 - offset * 60) * NANOS + nanos
}
