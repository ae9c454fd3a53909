import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatTime, parseTime, ZERO_TIME } from './time.ts'

const MAX_TIME = 253_402_300_799_999_999_999n

describe('time', () => {
  test('default: a time as text reads back equal, to the nanosecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: ZERO_TIME, max: MAX_TIME }), (time) => {
        expect(parseTime(formatTime(time))).toBe(time)
      }),
    )
  })

  test.each([
    [ZERO_TIME, '0001-01-01T00:00:00Z'],
    [0n, '1970-01-01T00:00:00Z'],
    [-1n, '1969-12-31T23:59:59.999999999Z'],
    [1_795_220_632_779_087_000n, '2026-11-21T00:23:52.779087Z'],
    [MAX_TIME, '9999-12-31T23:59:59.999999999Z'],
  ])('default: %s is %s', (time, text) => {
    expect(formatTime(time)).toBe(text)
    expect(parseTime(text)).toBe(time)
  })

  test('behavior: offsets, leap days and more digits than nanoseconds are read', () => {
    expect(parseTime('1970-01-01T01:30:00+01:30')).toBe(0n)
    expect(parseTime('1969-12-31T23:00:00-01:00')).toBe(0n)
    expect(parseTime('1970-01-01T00:00:00.1234567899Z')).toBe(123_456_789n)
    expect(parseTime('2024-02-29T00:00:00Z')).toBe(1_709_164_800_000_000_000n)
  })

  test.each([
    '',
    '1970-01-01',
    '1970-01-01 00:00:00Z',
    '2023-02-29T00:00:00Z',
    '1970-13-01T00:00:00Z',
    '1970-01-01T24:00:00Z',
    '1970-01-01T00:00:60Z',
    '1970-01-01T00:00:00',
  ])('error: refuses %j', (text) => {
    expect(parseTime(text)).toBeUndefined()
  })
})
