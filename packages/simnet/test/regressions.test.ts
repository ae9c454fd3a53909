import { expect, test } from 'vitest'
import { runScenario, type Scenario } from '../src/index.ts'

/** Networks in which a bug was found, as they were then: what a seed makes may change. */
const FOUND: readonly (readonly [what: string, scenario: Scenario])[] = [
  [
    'evidence that came again while its block was being noted was proposed again, and stopped who knew better',
    {
      seed: 1083,
      network: {
        validators: 4,
        extensionsFrom: 1,
        appIsInProcess: false,
        wire: { latencyMs: [10, 60], bandwidth: 1_000_000 },
        disk: { syncMs: [5, 30], writeMs: [0.1, 5] },
        txEveryMs: 40,
      },
      faults: [
        { kind: 'failSync', at: 804, node: 3 },
        { kind: 'skew', at: 1360, node: 2, skewMs: 1551, forMs: 1449 },
        { kind: 'skew', at: 2505, node: 0, skewMs: 1675, forMs: 1462 },
        { kind: 'slowDisk', at: 3258, node: 2, slowness: 85, forMs: 297 },
        { kind: 'crashAtEffect', at: 4103, node: 1, effects: 30, when: 'before', crash: 'power', downMs: 872 },
      ],
      byzantine: [{ node: 0, behaviours: ['equivocate', 'wrongPol', 'staleRounds'] }],
    },
  ],
  [
    'a crash between the first block and its state, on a chain that begins above 1',
    {
      seed: 15,
      network: { validators: 1, initialHeight: 1000 },
      faults: [
        { kind: 'crashAtEffect', at: 0, node: 0, effects: 46, when: 'before', crash: 'power', downMs: 300 },
        { kind: 'crashAtEffect', at: 900, node: 0, effects: 20, when: 'after', crash: 'kill', downMs: 300 },
      ],
      byzantine: [],
    },
  ],
]

test.each(FOUND)('behavior: %s', async (_, scenario) => {
  const { violations } = await runScenario(scenario)
  expect(violations).toEqual([])
})
