import type { HeightInterval } from './search-query.ts'

/** Texts from `from` up to but without `to`. */
export interface TextRange {
  readonly from: string
  readonly to: string
}

/** So many heights are looked up one by one; more are found in the few ranges that hold them and others. */
const SINGLE_HEIGHTS = 64

/**
 * Where texts that begin with `height/`, which are not in the order of the numbers, are to be looked for: apart from each
 * other, in order, with some of other heights between them. Among numbers of the same length the orders are the same.
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
