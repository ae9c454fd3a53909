import { spawnSync } from 'node:child_process'
import { createVirtualClock } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import { createHeapGrowth, keepHeapSmall } from './heap-growth.ts'

function start() {
  const clock = createVirtualClock()
  const flags: string[] = []
  const setFlag = (flag: string): void => {
    if (flag.startsWith('--semi-space-growth-factor=')) flags.push(flag.replace(/.*=/, ''))
  }
  keepHeapSmall(setFlag)
  const { onTransaction, onTransfer, onReplay } = createHeapGrowth({ clock, setFlag })
  return {
    clock,
    flags,
    onTransfer,
    onReplay,
    come: (count: number): void => {
      for (let i = 0; i < count; i++) onTransaction()
    },
  }
}

describe('the heap', () => {
  test('default: the young generation may grow while many transactions come, and at no other time', () => {
    const { clock, flags, come } = start()
    expect(flags).toEqual(['1'])
    come(24)
    clock.advance(250)
    come(24)
    expect(flags).toEqual(['1'])
    come(1)
    expect(flags).toEqual(['1', '2'])
    clock.advance(4_900)
    expect(flags).toEqual(['1', '2'])
    clock.advance(500)
    expect(flags).toEqual(['1', '2', '1'])
  })

  test('behavior: a pause of four seconds does not end the load', () => {
    const { clock, flags, come } = start()
    for (let i = 0; i < 5; i++) {
      come(30)
      clock.advance(4_000)
    }
    expect(flags).toEqual(['1', '2'])
  })

  test('behavior: blocks from peers count by their size', () => {
    const { clock, flags, onTransfer } = start()
    for (let i = 0; i < 30; i++) onTransfer(700)
    clock.advance(250)
    expect(flags).toEqual(['1'])
    onTransfer(25_000)
    expect(flags).toEqual(['1', '2'])
    clock.advance(6_000)
    expect(flags).toEqual(['1', '2', '1'])
  })

  test('behavior: a long replay is load, and a report of a short replay is not', () => {
    const { clock, flags, onReplay } = start()
    onReplay()
    clock.advance(250)
    expect(flags).toEqual(['1'])
    for (let i = 0; i < 3; i++) onReplay()
    expect(flags).toEqual(['1', '2'])
    clock.advance(6_000)
    expect(flags).toEqual(['1', '2', '1'])
  })

  test('behavior: the timer runs only while there is load', () => {
    const { clock, come } = start()
    expect(clock.pending()).toBe(0)
    come(1)
    expect(clock.pending()).toBe(1)
    clock.advance(1_000)
    expect(clock.pending()).toBe(0)
  })

  test('behavior: V8 follows the setting', () => {
    const program = `
      import { getHeapSpaceStatistics } from 'node:v8'
      const { createHeapGrowth, keepHeapSmall } = await import(${JSON.stringify(new URL('./heap-growth.ts', import.meta.url).href)})
      const size = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size
      const kept = []
      const work = () => {
        for (let i = 0; i < 1_000_000; i++) {
          kept.push({ i })
          if (kept.length > 100_000) kept.length = 0
        }
      }
      keepHeapSmall()
      const young = createHeapGrowth({ clock: { after: () => undefined } })
      work()
      const small = size()
      for (let i = 0; i < 25; i++) young.onTransaction()
      work()
      console.log(JSON.stringify({ small, large: size() }))`
    const flags = ['--min-semi-space-size=2', '--max-semi-space-size=16', '--input-type=module']
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8' })
    expect(stderr).toBe('')
    const { small, large } = JSON.parse(stdout) as { small: number; large: number }
    // The size that V8 reports includes both halves of the young generation. Each half has at least 2 MiB, so V8
    // reports at least 4 MiB.
    expect(small).toBeLessThanOrEqual(4 * 2 ** 20)
    expect(large).toBeGreaterThan(8 * 2 ** 20)
  })
})
