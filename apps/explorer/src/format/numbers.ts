const grouped = new Intl.NumberFormat('en-US')

/** Returns 1234567 as `1,234,567`. */
export const numberText = (value: number | bigint): string => grouped.format(value)

/** Returns a number with its noun, such as `1 block` or `2 blocks`. */
export const counted = (count: number, noun: string): string => `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`

/**
 * A positive number below this limit is shown as `< 0.001`. For example, the clock of a devnet may move by years
 * between two blocks. The average number of transactions per second is then very small.
 */
const SMALLEST = 0.001

/** Returns a number with at most three significant digits, or as a whole number if it is 100 or more. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value > 0 && value < SMALLEST) return `< ${SMALLEST}`
  return value >= 100 ? numberText(Math.round(value)) : String(Number(value.toPrecision(3)))
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** Returns 1536 bytes as `1.54 kB`. */
export function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${shortNumber(value)} ${UNITS[unit]}`
}

/** Returns the ratio of `part` to `whole` as a text in percent. */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${shortNumber((100 * part) / whole)} %`
}

/** Returns the share of a power in the sum of all powers, between 0 and 1. */
export function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000
}

/**
 * Returns the median; `NaN` if there is no value. Unlike the mean, the median does not depend on one very large value,
 * such as the time between two blocks while a chain was stopped.
 */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
