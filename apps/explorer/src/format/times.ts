import { formatTime, type Time } from '@org/types/time'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Converts nanoseconds to milliseconds, both since 1970. */
export const msOf = (time: Time): number => Number(time / 1_000_000n)

const short = (value: number): string => (value >= 10 ? String(Math.round(value)) : String(Number(value.toFixed(1))))

/** Returns 1500 milliseconds as `1.5 s`. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return '–'
  if (ms < SECOND) return `${Math.round(ms)} ms`
  if (ms < MINUTE) return `${short(ms / SECOND)} s`
  if (ms < HOUR) return `${short(ms / MINUTE)} min`
  return ms < 2 * DAY ? `${short(ms / HOUR)} h` : `${short(ms / DAY)} days`
}

/**
 * Returns the length of the time axis of a picture: the first of 10, 20, 50, 100, 200 … milliseconds that is not below
 * `ms`. So the pictures of two heights that take about the same time have the same axis.
 */
export function scaleOf(ms: number): number {
  const decade = 10 ** Math.floor(Math.log10(ms))
  return decade * ([1, 2, 5].find((step) => step * decade >= ms) ?? 10)
}

/**
 * Returns the time between two blocks with three digits, such as `1.05 s`. On most chains, these times differ only in
 * the last digits.
 */
export const intervalText = (ms: number): string =>
  ms >= SECOND && ms < 10 * SECOND ? `${Number((ms / SECOND).toFixed(2))} s` : durationText(ms)

/**
 * Returns the age of a block as a text. A time in the future is `now`: the clocks of machines differ, and the clock of
 * a devnet may be ahead.
 */
export function ageText(time: Time, nowMs: number): string {
  const age = nowMs - msOf(time)
  return age < SECOND ? 'now' : `${durationText(age)} ago`
}

/** Returns a time as `2026-11-24 16:56:52.363 UTC`. */
export function timeText(time: Time): string {
  const [date = '', clock = ''] = formatTime(time).replace('Z', '').split('T')
  const [seconds = '', fraction = ''] = clock.split('.')
  return `${date} ${seconds}.${fraction.padEnd(3, '0').slice(0, 3)} UTC`
}
