const grouped = new Intl.NumberFormat('en-US')

/** `1234567` as `1,234,567`. */
export const numberText = (value: number | bigint): string => grouped.format(value)

/** `1 block`, `2 blocks`. */
export const counted = (count: number, noun: string): string => `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`

/** At most three significant digits below 100, and whole numbers above. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value >= 100 ? numberText(Math.round(value)) : String(Number(value.toPrecision(3)))
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const

/** `1536` as `1.54 kB`. */
export function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${shortNumber(value)} ${UNITS[unit]}`
}

/** A share of a whole in percent. */
export function percentText(part: number, whole: number): string {
  return whole === 0 ? '–' : `${shortNumber((100 * part) / whole)} %`
}

/** The share of one power in the sum of powers, between 0 and 1. */
export function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000
}
