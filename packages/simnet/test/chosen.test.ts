import { expect, test } from 'vitest'
import { CHOSEN, runScenario } from '../src/index.ts'

// The purpose of each network, and the bugs that it finds, are in tooling/sim/src/found-by.ts.
test.each(Object.entries(CHOSEN))('behavior: the chosen network "%s" keeps all rules', async (_, scenario) => {
  const { violations, heights } = await runScenario(scenario)
  expect(violations).toEqual([])
  expect(heights).toBeGreaterThan(5)
})
