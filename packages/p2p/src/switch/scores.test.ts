import { describe, expect, test } from 'vitest'
import { LRU_SIZE } from './limits.ts'
import { createScores } from './scores.ts'

describe('scores', () => {
  test('default: faults add up to a ban, which expires', () => {
    let now = 0
    const scores = createScores({ threshold: 100, banMs: 1000, monotonic: () => now })
    expect(scores.lose('a', 60)).toBe(false)
    expect(scores.lose('a', 60)).toBe(true)
    expect([scores.isBanned('a'), scores.isBanned('b')]).toEqual([true, false])
    expect(scores.banned()).toEqual(['a'])
    now = 1000
    expect(scores.isBanned('a')).toBe(false)
    // After the ban the peer has all its points again.
    expect(scores.lose('a', 60)).toBe(false)
  })

  test('behavior: a peer without new faults gets its points back', () => {
    let now = 0
    const scores = createScores({ threshold: 100, banMs: 1000, monotonic: () => now })
    scores.lose('a', 60)
    now = 500
    expect(scores.lose('a', 60)).toBe(false)
    now = 600
    expect(scores.lose('a', 60)).toBe(true)
  })

  test('behavior: the number of stored peers is bounded', () => {
    const scores = createScores({ threshold: 100, banMs: 1000, monotonic: () => 0 })
    for (let i = 0; i < LRU_SIZE + 10; i++) scores.lose(String(i), 100)
    expect(scores.banned()).toHaveLength(LRU_SIZE)
  })
})
