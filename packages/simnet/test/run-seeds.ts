import { expect } from 'vitest'
import { makeScenario, runScenario } from '../src/index.ts'

/** Networks with faults from the seed: none may violate an invariant. */
export async function runSeeds(from: number, to: number): Promise<void> {
  let [heights, restarts] = [0, 0]
  for (let seed = from; seed <= to; seed++) {
    const result = await runScenario(makeScenario(seed))
    expect({ again: `pnpm sim --seed ${seed}`, violations: result.violations }).toMatchObject({ violations: [] })
    heights += result.heights
    restarts += result.restarts
  }
  // The networks made blocks.
  expect(heights).toBeGreaterThan(3 * (to - from + 1))
  expect(restarts).toBeGreaterThan(to - from)
}
