import { describe, expect, it } from 'vitest'
import { NumberList, sortUnique } from './number-list.ts'

describe('sortUnique', () => {
  it('default: long lists are sorted in pieces, each number once', async () => {
    for (const length of [0, 1, 2, 8191, 8192, 8193, 100_000]) {
      const list = new NumberList()
      for (let i = 0; i < length; i++) list.add((i * 7919) % 65_537)
      const expected = [...new Set(list.values)].sort((a, b) => a - b)
      expect([...(await sortUnique(list.values))]).toEqual(expected)
    }
  })
})
