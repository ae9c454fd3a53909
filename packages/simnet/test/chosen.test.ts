import { expect, test } from 'vitest'
import { CHOSEN, runScenario } from '../src/index.ts'

// What each is for, and the bugs that it finds: tooling/sim/src/found-by.ts.
test.each(Object.entries(CHOSEN))('behavior: the chosen network "%s" keeps all rules', async (_, scenario) => {
  const { violations, heights } = await runScenario(scenario)
  expect(violations).toEqual([])
  expect(heights).toBeGreaterThan(5)
})
