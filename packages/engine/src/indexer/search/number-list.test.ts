import { describe, expect, it } from 'vitest'
import { markAll, marked, NumberList, sortUnique } from './number-list.ts'

describe('sortUnique', () => {
  it('default: sorts long lists in pieces, and returns each number once', async () => {
    for (const length of [0, 1, 2, 8191, 8192, 8193, 100_000]) {
      const list = new NumberList()
      for (let i = 0; i < length; i++) list.add((i * 7919) % 65_537)
      const expected = [...new Set(list.toArray())].sort((a, b) => a - b)
      expect([...(await sortUnique(list.toArray()))]).toEqual(expected)
    }
  })
})

describe('marks', () => {
  it('default: returns each number once, in order, or returns undefined if sorting is cheaper', () => {
    for (const [length, spread] of [
      [0, 1],
      [1, 1],
      [2, 65_536],
      [10_000, 65_537],
      [100_000, 65_537],
    ] as const) {
      const list = new NumberList()
      for (let i = 0; i < length; i++) list.add((i * 7_919_113) % spread)
      const expected = [...new Set(list.toArray())].sort((a, b) => a - b)
      const marks = markAll(list, spread, (value) => value) as Uint32Array
      expect([...marked(marks, (mark) => mark)]).toEqual(expected)
    }
    expect(markAll(new NumberList(), 2 ** 20, (value) => value)).toBeUndefined()
  })
})
