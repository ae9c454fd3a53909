import { describe, expect, test } from 'vitest'
import { type CrashSweep, crashPoints, crashScenario, recordCrashes, runScenario } from '../src/index.ts'

/** `pnpm sim crash` runs every crash, over 30 heights. */
const SWEEPS: readonly (readonly [name: string, sweep: CrashSweep, sample: number])[] = [
  ['alone, on a chain that begins at 1000', { heights: 6, validators: 1, initialHeight: 1000 }, 80],
  ['one of four', { heights: 8, validators: 4 }, 15],
]

describe('a node that crashes at any of its effects loses nothing and contradicts nothing', () => {
  test.each(SWEEPS)('behavior: %s', { timeout: 120_000 }, async (_, sweep, sample) => {
    const record = await recordCrashes(sweep)
    expect(record.heights).toBeGreaterThanOrEqual(sweep.heights)
    expect(record.txs).toBeGreaterThan(sweep.heights)
    expect(record.validatorChanges).toBeGreaterThan(1)
    expect(record.extendedHeights).toBeGreaterThan(sweep.heights - 3)
    expect(new Set(record.places.map(({ name }) => name.split(' ')[0]))).toEqual(new Set(['disk', 'app', 'send']))
    const points = crashPoints(record.places)
    const step = Math.floor(points.length / sample)
    for (const [index, point] of points.entries()) {
      if (index % step !== 0) continue
      const { violations, restarts } = await runScenario(crashScenario(sweep, point, point.atMs))
      expect({ point, violations }).toMatchObject({ violations: [] })
      expect(restarts).toBeGreaterThan(0)
    }
  })
})
