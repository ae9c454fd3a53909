import type { HeightInterval } from './search-query.ts'

/** The texts from `from` up to, but not including, `to`. */
export interface TextRange {
  readonly from: string
  readonly to: string
}

/**
 * At most this many heights are looked up one by one; more are found in a few ranges, which contain other heights
 * too.
 */
const SINGLE_HEIGHTS = 64

/**
 * Returns the ranges of texts in which keys that begin with `height/` are found. Texts are not in the order of the
 * numbers, so the ranges are separate, in order, and contain some other heights. Among numbers of the same length
 * both orders are equal.
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
