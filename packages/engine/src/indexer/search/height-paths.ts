import type { HeightInterval } from './search-query.ts'

/** The texts from `from` up to, but not including, `to`. */
export interface TextRange {
  readonly from: string
  readonly to: string
}

/**
 * Up to this number of heights, each height has its own range. More heights are in a few ranges, which also contain
 * some other heights.
 */
const SINGLE_HEIGHTS = 64

/**
 * Returns the ranges of texts that contain all keys beginning with one of the heights and a slash. The order of texts
 * differs from the order of numbers, except among numbers of the same length. So there is one range for each length,
 * and the ranges also contain some other heights. Overlapping ranges are joined.
 */
export function heightPaths({ min, max }: HeightInterval): readonly TextRange[] {
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
