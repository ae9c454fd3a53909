import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heightRanges } from './height-ranges.ts'

describe('heightRanges', () => {
  it('default: lists few heights one by one, and more heights by the length of their digits', () => {
    expect(heightRanges({ min: 9, max: 10 })).toEqual([
      { from: '10/', to: '100' },
      { from: '9/', to: '90' },
    ])
    expect(heightRanges({ min: 100, max: 900 })).toEqual([{ from: '100/', to: '9000' }])
    expect(heightRanges({ min: 500, max: 2000 })).toEqual([
      { from: '1000/', to: '20000' },
      { from: '500/', to: '9990' },
    ])
  })

  it('behavior: each height of the interval is in exactly one range', () => {
    const height = fc.oneof(fc.nat(300), fc.nat(100_000), fc.maxSafeNat())
    fc.assert(
      fc.property(height, height, height, (a, b, other) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)]
        const ranges = heightRanges({ min, max })
        for (const one of [min, max, other]) {
          const found = ranges.filter(({ from, to }) => `${one}/` >= from && `${one}/` < to)
          if (one >= min && one <= max) expect(found).toHaveLength(1)
          else expect(found.length).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
