import { describe, expect, test } from 'vitest'
import { createFlowMonitor } from './flow-monitor.ts'

describe('flow monitor', () => {
  test('default: the rates are measured in samples of a tenth of a second', () => {
    let now = 1000
    const monitor = createFlowMonitor(() => now)
    expect(monitor.status()).toMatchObject({ bytes: 0, samples: 0, averageRate: 0, durationMs: 0 })
    monitor.update(500)
    // The bytes of a sample that is not complete are not in the status yet.
    expect(monitor.status().bytes).toBe(0)
    now += 100
    monitor.update(500)
    expect(monitor.status()).toEqual({
      bytes: 1000,
      samples: 1,
      lastRate: 10_000,
      currentRate: 10_000,
      averageRate: 10_000,
      peakRate: 10_000,
      durationMs: 100,
      idleMs: 0,
    })
  })

  test('behavior: without new bytes the current rate falls, and the peak and the average contain the old bytes', () => {
    let now = 0
    const monitor = createFlowMonitor(() => now)
    monitor.update(1000)
    now = 100
    monitor.status()
    now = 1100
    const later = monitor.status()
    expect(later).toMatchObject({
      bytes: 1000,
      samples: 2,
      lastRate: 0,
      peakRate: 10_000,
      durationMs: 1100,
      idleMs: 1100,
    })
    expect(later.currentRate).toBe(Math.round(10_000 * Math.exp(-1)))
    expect(later.averageRate).toBe(Math.round(1000 / 1.1))
  })
})
