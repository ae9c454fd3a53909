import { expect } from 'vitest'
import { makeScenario, runScenario } from '../src/index.ts'

/** Networks with faults that the seed decides: none may break a rule. */
export async function runSeeds(from: number, to: number): Promise<void> {
  let [heights, restarts] = [0, 0]
  for (let seed = from; seed <= to; seed++) {
    const result = await runScenario(makeScenario(seed))
    expect({ again: `pnpm sim --seed ${seed}`, violations: result.violations }).toMatchObject({ violations: [] })
    heights += result.heights
    restarts += result.restarts
  }
  // That they did something at all.
  expect(heights).toBeGreaterThan(3 * (to - from + 1))
  expect(restarts).toBeGreaterThan(to - from)
}
