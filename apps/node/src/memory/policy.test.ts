import { describe, expect, test } from 'vitest'
import { createMemoryPolicy, type MemoryReading } from './policy.ts'

const heap = (heapUsed: number): MemoryReading => ({ heapUsed, heapLimit: 1000, processUsed: 0, processLimit: 1 })
const outside = (processUsed: number): MemoryReading => ({ heapUsed: 0, heapLimit: 1, processUsed, processLimit: 1000 })

describe('the judgement of memory', () => {
  test('default: nothing is done below four fifths of the limit', () => {
    const policy = createMemoryPolicy()
    expect(policy.judge(heap(799), 0, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(outside(799), 0, false)).toEqual({ kind: 'nothing' })
    expect(policy.isShort()).toBe(false)
  })

  test('behavior: garbage alone frees no measures', () => {
    const policy = createMemoryPolicy()
    expect(policy.judge(heap(950), 0, false)).toEqual({ kind: 'collect' })
    expect(policy.judge(heap(300), 0, true)).toEqual({ kind: 'nothing' })
    expect(policy.isShort()).toBe(false)
  })

  test('behavior: memory in use is freed down to seven tenths of the heap and of the process', () => {
    for (const [reading, space] of [
      [heap, 'heap'],
      [outside, 'process'],
    ] as const) {
      const policy = createMemoryPolicy()
      expect(policy.judge(reading(900), 0, false)).toEqual({ kind: 'collect' })
      expect(policy.judge(reading(850), 0, true)).toEqual({ kind: 'shed', bytes: 150, space })
      expect(policy.isShort()).toBe(true)
    }
  })

  test('behavior: the space that is nearer to its limit decides', () => {
    const policy = createMemoryPolicy()
    const reading: MemoryReading = { heapUsed: 81, heapLimit: 100, processUsed: 950, processLimit: 1000 }
    expect(policy.judge(reading, 0, true)).toEqual({ kind: 'shed', bytes: 250, space: 'process' })
  })

  test('behavior: a use that stays just below the threshold is not collected again and again', () => {
    const policy = createMemoryPolicy()
    policy.judge(heap(820), 0, false)
    policy.judge(heap(790), 0, true)
    expect(policy.judge(heap(890), 10, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(heap(900), 250, false)).toEqual({ kind: 'collect' })
  })

  test('behavior: while the node is short, it collects again after a while, or at once when half of the room is used', () => {
    const policy = createMemoryPolicy()
    policy.judge(heap(840), 0, false)
    policy.judge(heap(840), 0, true)
    expect(policy.judge(heap(850), 100, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(heap(925), 249, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(heap(925), 250, false)).toEqual({ kind: 'collect' })
    expect(policy.judge(heap(850), 2000, false)).toEqual({ kind: 'collect' })
    expect(policy.judge(heap(810), 2000, true)).toEqual({ kind: 'shed', bytes: expect.closeTo(110), space: 'heap' })
  })

  test('behavior: the time between two collections is at least four times the time of the last one', () => {
    const policy = createMemoryPolicy()
    expect(policy.judge(heap(1000), 1000, false)).toEqual({ kind: 'collect' })
    policy.judge(heap(1000), 1500, true)
    expect(policy.judge(heap(1000), 3499, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(heap(1000), 3500, false)).toEqual({ kind: 'collect' })
  })

  test('behavior: a shortage is over at seven tenths, and below four fifths only after a while', () => {
    const at = createMemoryPolicy()
    at.judge(heap(850), 0, true)
    expect(at.judge(heap(700), 100, false)).toEqual({ kind: 'recover' })
    expect(at.isShort()).toBe(false)
    const calm = createMemoryPolicy()
    calm.judge(heap(850), 0, true)
    expect(calm.judge(heap(750), 100, false)).toEqual({ kind: 'nothing' })
    expect(calm.judge(heap(810), 5000, false)).toEqual({ kind: 'collect' })
    expect(calm.judge(heap(750), 5000, true)).toEqual({ kind: 'nothing' })
    expect(calm.judge(heap(750), 14_999, false)).toEqual({ kind: 'nothing' })
    expect(calm.judge(heap(750), 15_000, false)).toEqual({ kind: 'recover' })
    expect(calm.isShort()).toBe(false)
  })
})
