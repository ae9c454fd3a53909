import { createVirtualClock } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

const OPTIONS = { rateLimit: 10, rateBurst: 5, rateCosts: ['dear=3', ' dearest = 99 '], strict: false }
const calls = (count: number): readonly string[] => Array.from({ length: count }, () => 'call')

describe('rate limit', () => {
  test('default: there is no rate limit', () => {
    const clock = createVirtualClock()
    expect(createRateLimit({ ...OPTIONS, rateLimit: 0 }, clock)).toBeUndefined()
    expect(createRateLimit({ ...OPTIONS, strict: true }, clock)).toBeUndefined()
  })

  test('behavior: each address may make a burst of calls, and then calls at the rate, from any port', () => {
    const clock = createVirtualClock()
    const { tryTake } = createRateLimit(OPTIONS, clock) as RateLimit
    expect(tryTake('1.2.3.4:1', calls(4))).toBe(true)
    expect(tryTake('1.2.3.4:2', calls(2))).toBe(false)
    expect(tryTake('1.2.3.4:2', calls(1))).toBe(true)
    expect(tryTake('[::1]:1', calls(5))).toBe(true)
    clock.advance(99)
    expect(tryTake('1.2.3.4:1', calls(1))).toBe(false)
    clock.advance(2)
    expect(tryTake('1.2.3.4:1', calls(1))).toBe(true)
    clock.advance(60_000)
    expect(tryTake('1.2.3.4:1', calls(6))).toBe(false)
    expect(tryTake('1.2.3.4:1', calls(5))).toBe(true)
  })

  test('behavior: operations have costs up to a full bucket, and refused calls are counted', () => {
    let refused = 0
    const clock = createVirtualClock()
    const { tryTake } = createRateLimit(OPTIONS, clock, () => void refused++) as RateLimit
    expect(tryTake('1.2.3.4:1', ['dear', 'call'])).toBe(true)
    expect(tryTake('1.2.3.4:1', ['dear'])).toBe(false)
    expect(tryTake('1.2.3.4:1', ['call'])).toBe(true)
    clock.advance(60_000)
    expect(tryTake('1.2.3.4:1', ['dearest'])).toBe(true)
    expect(refused).toBe(1)
  })

  test.each(['', 'tx', 'tx=', 'tx=-1', 'tx=1.5', '=1'])('error: refuses the cost %j', (cost) => {
    expect(() => createRateLimit({ ...OPTIONS, rateCosts: [cost] }, createVirtualClock())).toThrow('rate_costs')
  })

  test('behavior: calls over unix sockets have no rate limit', () => {
    const { tryTake } = createRateLimit(OPTIONS, createVirtualClock()) as RateLimit
    expect(tryTake('@', calls(100))).toBe(true)
    expect(tryTake('@7', calls(100))).toBe(true)
  })
})
