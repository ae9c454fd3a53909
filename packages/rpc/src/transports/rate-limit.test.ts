import { createVirtualClock } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

const OPTIONS = { rateLimit: 10, rateBurst: 5, strict: false }

describe('rate limit', () => {
  test('default: none', () => {
    const clock = createVirtualClock()
    expect(createRateLimit({ ...OPTIONS, rateLimit: 0 }, clock)).toBeUndefined()
    expect(createRateLimit({ ...OPTIONS, strict: true }, clock)).toBeUndefined()
  })

  test('behavior: a burst, then the rate, for each address whatever its port', () => {
    const clock = createVirtualClock()
    const { take } = createRateLimit(OPTIONS, clock) as RateLimit
    expect(take('1.2.3.4:1', 4)).toBe(true)
    expect(take('1.2.3.4:2', 2)).toBe(false)
    expect(take('1.2.3.4:2', 1)).toBe(true)
    expect(take('[::1]:1', 5)).toBe(true)
    clock.advance(99)
    expect(take('1.2.3.4:1', 1)).toBe(false)
    clock.advance(2)
    expect(take('1.2.3.4:1', 1)).toBe(true)
    clock.advance(60_000)
    expect(take('1.2.3.4:1', 6)).toBe(false)
    expect(take('1.2.3.4:1', 5)).toBe(true)
  })

  test('behavior: unix sockets have none', () => {
    const { take } = createRateLimit(OPTIONS, createVirtualClock()) as RateLimit
    expect(take('@', 100)).toBe(true)
    expect(take('@7', 100)).toBe(true)
  })
})
