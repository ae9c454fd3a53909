import { expect, test } from 'vitest'
import { killAgainAndAgain } from '../src/kill.ts'

// This test kills the node six times. `pnpm sim kill` kills the node two hundred times.
test('behavior: a real node that is killed under load loses nothing that it has answered', {
  timeout: 120_000,
}, async () => {
  const { faults, height } = await killAgainAndAgain({ kills: 6, seed: 7 })
  expect(faults).toEqual([])
  expect(height).toBeGreaterThan(3)
})
