import type { HeightInterval } from './search-query.ts'

/** A range of texts: from `from` up to, but not including, `to`. */
export interface TextRange {
  readonly from: string
  readonly to: string
}

/**
 * If the interval has at most this number of heights, each height has its own range. A larger interval has a few long
 * ranges, which also contain the keys of some heights outside the interval.
 */
const SINGLE_HEIGHTS = 64

/**
 * Returns ranges of texts. If a key begins with a height of the interval and a slash, the key is in one of these
 * ranges. Texts of numbers are in numeric order only if the numbers have equal lengths. So there is one range for each
 * length, and the ranges may also contain the keys of some heights outside the interval. Overlapping ranges are joined.
 */
export function heightRanges({ min, max }: HeightInterval): readonly TextRange[] {
  const range = (low: number, high: number): TextRange => ({ from: `${low}/`, to: `${high}0` })
  const ranges: TextRange[] = []
  if (max - min < SINGLE_HEIGHTS) {
    for (let height = min; height <= max; height++) ranges.push({ from: `${height}/`, to: `${height}0` })
  } else {
    for (let low = min; low <= max; low = 10 ** String(low).length) {
      ranges.push(range(low, Math.min(max, 10 ** String(low).length - 1)))
    }
  }
  ranges.sort((a, b) => (a.from < b.from ? -1 : 1))
  const apart: TextRange[] = []
  for (const next of ranges) {
    const before = apart.at(-1)
    if (before === undefined || next.from >= before.to) apart.push(next)
    else if (next.to > before.to) apart[apart.length - 1] = { from: before.from, to: next.to }
  }
  return apart
}
