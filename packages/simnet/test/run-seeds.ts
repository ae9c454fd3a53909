import { expect } from 'vitest'
import { makeScenario, runScenario } from '../src/index.ts'

/** Runs the networks of the seeds, with their faults. No network may violate an invariant. */
export async function runSeeds(from: number, to: number): Promise<void> {
  let [heights, restarts] = [0, 0]
  for (let seed = from; seed <= to; seed++) {
    const result = await runScenario(makeScenario(seed))
    expect({ again: `pnpm sim --seed ${seed}`, violations: result.violations }).toMatchObject({ violations: [] })
    heights += result.heights
    restarts += result.restarts
  }
  // On average, each network made more than three blocks.
  expect(heights).toBeGreaterThan(3 * (to - from + 1))
  expect(restarts).toBeGreaterThan(to - from)
}
