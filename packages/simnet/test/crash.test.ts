import { describe, expect, test } from 'vitest'
import { type CrashPoint, type CrashSweep, crashScenario, recordEffects, runScenario } from '../src/index.ts'

/** `SIMNET_CRASHES=all` takes every one. */
const ALL = process.env.SIMNET_CRASHES === 'all'

const SWEEPS: readonly (readonly [name: string, sweep: CrashSweep, sample: number])[] = [
  ['alone, on a chain that begins at 1000', { heights: 6, validators: 1, initialHeight: 1000 }, 40],
  ['one of four', { heights: 8, validators: 4 }, 20],
]

function* points(effects: number, sample: number): Generator<CrashPoint> {
  const step = ALL ? 1 : Math.max(1, Math.floor(effects / sample))
  for (let effect = 1; effect <= effects; effect += step) {
    const odd = Math.floor(effect / step) % 2 === 1
    yield { effect, when: odd ? 'before' : 'after', crash: 'power', loss: effect % 7 }
    if (ALL) yield { effect, when: odd ? 'after' : 'before', crash: 'kill', loss: effect % 7 }
  }
}

describe('a node that crashes at any of its effects loses nothing and contradicts nothing', () => {
  test.each(SWEEPS)('behavior: %s', { timeout: ALL ? 7_200_000 : 120_000 }, async (_, sweep, sample) => {
    const effects = await recordEffects(sweep)
    expect(effects.length).toBeGreaterThan(100)
    expect(new Set(effects.map((effect) => effect.split(' ')[0]))).toEqual(new Set(['disk', 'app', 'send']))
    for (const point of points(effects.length, sample)) {
      const { violations, restarts } = await runScenario(crashScenario(sweep, point))
      expect({ point, effect: effects[point.effect - 1], violations }).toMatchObject({ violations: [] })
      expect(restarts).toBeGreaterThan(0)
    }
  })
})
