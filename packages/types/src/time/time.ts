/** Nanoseconds since 1970-01-01 UTC. */
export type Time = bigint

/** Go's zero time, 0001-01-01T00:00:00Z. */
export const ZERO_TIME: Time = -62_135_596_800_000_000_000n

const NANOS = 1_000_000_000n
/** Returns RFC 3339 text in UTC, as Go's RFC3339Nano does: the fraction of the second has no zeros at its end. */
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

const [ZERO, NINE, DASH, COLON, DOT, COMMA, T, Z] = [48, 57, 45, 58, 46, 44, 84, 90]
const DAYS_PER_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/**
 * Returns the number of days from 1970-01-01 to a day of the Gregorian calendar. In this calculation, years begin in
 * March, so that a leap day is the last day of its year.
 */
function daysSince1970(year: number, month: number, day: number): number {
  const [y, m] = month > 2 ? [year, month - 3] : [year - 1, month + 9]
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * m + 2) / 5) + day - 1
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
}

/** Returns the number that the `count` characters from `at` represent; `NaN` if one of them is not a digit. */
function digits(text: string, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    const code = text.charCodeAt(i)
    if (!(code >= ZERO && code <= NINE)) return Number.NaN
    value = value * 10 + code - ZERO
  }
  return value
}

/** Returns the first position from `at` on that has no digit. */
function endOfDigits(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) >= ZERO && text.charCodeAt(end) <= NINE) end++
  return end
}

/**
 * Returns the offset in minutes of the time zone in `text`. The time zone is the part of `text` from the position `at`
 * to the end. Returns `NaN` if this part is not a time zone.
 */
function zoneMinutes(text: string, at: number): number {
  if (text.charCodeAt(at) === Z) return text.length === at + 1 ? 0 : Number.NaN
  const sign = text[at] === '+' ? 1 : text[at] === '-' ? -1 : Number.NaN
  if (text.length !== at + 6 || text.charCodeAt(at + 3) !== COLON) return Number.NaN
  return sign * (digits(text, at + 1, 2) * 60 + digits(text, at + 4, 2))
}

/**
 * Reads the first 19 characters of the text as a date and time in UTC. Returns it in seconds since 1970; `NaN` if
 * these characters are not a date and time.
 */
function wholeSeconds(text: string): number {
  const isForm =
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(7) === DASH &&
    text.charCodeAt(10) === T &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON
  if (!isForm) return Number.NaN
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2)]
  const [hour, minute, second] = [digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)]
  const days = month === 2 && isLeap(year) ? 29 : (DAYS_PER_MONTH[month - 1] ?? 0)
  if (!(day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60)) return Number.NaN
  return daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
}

/**
 * Reads an RFC 3339 text, to the nanosecond; `undefined` for any other text. This function must be fast, because times
 * are a large part of a commit's JSON.
 */
export function parseTime(text: string): Time | undefined {
  let at = 19
  let nanos = 0
  if (text.charCodeAt(at) === DOT || text.charCodeAt(at) === COMMA) {
    const end = endOfDigits(text, at + 1)
    if (end === at + 1) return undefined
    const count = Math.min(end - at - 1, 9)
    nanos = digits(text, at + 1, count) * 10 ** (9 - count)
    at = end
  }
  const seconds = wholeSeconds(text) - zoneMinutes(text, at) * 60
  return Number.isNaN(seconds) ? undefined : BigInt(seconds) * NANOS + BigInt(nanos)
}
