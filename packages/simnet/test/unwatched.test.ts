import { expect, test } from 'vitest'
import { createNetwork } from '../src/network/index.ts'

test('behavior: a network that is not watched makes blocks, and keeps no record and no trace of them', async () => {
  const network = createNetwork({ seed: 1, validators: 1, isWatched: false })
  network.start()
  expect(await network.reach(5, 60_000)).toBe(true)
  expect(network.height()).toBeGreaterThanOrEqual(5)
  expect(network.monitor.record.height()).toBe(0)
  expect(network.trace.lines()).toBe(0)
  expect(network.monitor.violations()).toEqual([])
})
