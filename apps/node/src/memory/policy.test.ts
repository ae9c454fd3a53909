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

  test('behavior: if memory is full of garbage, it is only collected, and no measure is taken', () => {
    const policy = createMemoryPolicy()
    expect(policy.judge(heap(950), 0, false)).toEqual({ kind: 'collect' })
    expect(policy.judge(heap(300), 0, true)).toEqual({ kind: 'nothing' })
    expect(policy.isShort()).toBe(false)
  })

  test('behavior: memory is freed until seven tenths of the limit are in use, for the heap and for the process', () => {
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

  test('behavior: the heap or the process decides, whichever is nearer to its limit', () => {
    const policy = createMemoryPolicy()
    const reading: MemoryReading = { heapUsed: 81, heapLimit: 100, processUsed: 950, processLimit: 1000 }
    expect(policy.judge(reading, 0, true)).toEqual({ kind: 'shed', bytes: 250, space: 'process' })
  })

  test('behavior: the heap is not collected again and again while its use stays just below the threshold', () => {
    const policy = createMemoryPolicy()
    policy.judge(heap(820), 0, false)
    policy.judge(heap(790), 0, true)
    expect(policy.judge(heap(890), 10, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(heap(900), 250, false)).toEqual({ kind: 'collect' })
  })

  test('behavior: a node that is short of memory collects again after two seconds, or earlier when half of the free memory is used', () => {
    const policy = createMemoryPolicy()
    policy.judge(heap(840), 0, false)
    policy.judge(heap(840), 0, true)
    expect(policy.judge(heap(850), 100, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(heap(925), 249, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(heap(925), 250, false)).toEqual({ kind: 'collect' })
    expect(policy.judge(heap(850), 2000, false)).toEqual({ kind: 'collect' })
    expect(policy.judge(heap(810), 2000, true)).toEqual({ kind: 'shed', bytes: expect.closeTo(110), space: 'heap' })
  })

  test('behavior: the time between two collections is at least four times as long as the last collection took', () => {
    const policy = createMemoryPolicy()
    expect(policy.judge(heap(1000), 1000, false)).toEqual({ kind: 'collect' })
    policy.judge(heap(1000), 1500, true)
    expect(policy.judge(heap(1000), 3499, false)).toEqual({ kind: 'nothing' })
    expect(policy.judge(heap(1000), 3500, false)).toEqual({ kind: 'collect' })
  })

  test('behavior: a shortage ends at once at seven tenths of the limit, and after some time below four fifths', () => {
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
