import { formatDuration } from '@org/types'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

describe('durations', () => {
  test('default: the forms of a duration that the reference accepts are read', () => {
    expect(formatDuration(0n)).toBe('0s')
    expect(formatDuration(604_800_000_000_000n)).toBe('168h0m0s')
    expect(formatDuration(1_500_000_000n)).toBe('1.5s')
    expect(formatDuration(100_000_000n)).toBe('100ms')
    expect(formatDuration(60_000_000_000n)).toBe('1m0s')
    expect(formatDuration(1_500n)).toBe('1.5µs')
    expect(parseDuration('1h2m3.5s')).toBe(3_723_500_000_000n)
    expect(parseDuration('-1.5h')).toBe(-5_400_000_000_000n)
    expect(parseDuration('.5s')).toBe(500_000_000n)
    expect(parseDuration('0')).toBe(0n)
    expect(parseDuration('1.s')).toBe(1_000_000_000n)
    expect(parseDuration('1h.5m')).toBe(3_630_000_000_000n)
  })

  test('error: an invalid duration is refused', () => {
    for (const text of ['', '1', 's', '1x', '1 s', '--1s', '1s1', '1e3s', '.s', '1.', '1.5.5s', '1ss', '9999999999h']) {
      expect(parseDuration(text), text).toBeUndefined()
    }
  })

  test('behavior: every int64 is the same after it is written and read', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }), (value) => {
        expect(parseDuration(formatDuration(value))).toBe(value)
      }),
    )
  })
})
