import { expect, test } from 'vitest'
import { crashScenario, runScenario, type Scenario } from '../src/index.ts'

/**
 * Networks that showed a bug of the node or of the simulation. The whole network is stored, because a change of the
 * simulation may change the network of a seed.
 */
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
    'who had precommitted by the second vote of a liar, which a peer had asked to count, was another validator after its start',
    {
      seed: 9044,
      network: {
        validators: 7,
        powers: [8n, 8n, 23n, 15n, 15n, 22n, 19n],
        extensionsFrom: 1,
        appIsInProcess: true,
        txEveryMs: 0,
        redialMs: 0,
        wire: { latencyMs: [10, 60], bandwidth: 1_000_000 },
        disk: { syncMs: [0.2, 2], writeMs: [0.02, 0.1] },
      },
      faults: [
        { kind: 'failSync', at: 439, node: 0 },
        { kind: 'crashAtEffect', at: 1993, node: 2, effects: 3, when: 'after', crash: 'kill', downMs: 920 },
        { kind: 'drift', at: 2619, node: 2, drift: -0.024215791188180447, forMs: 938 },
        { kind: 'flap', at: 3461, node: 3, everyMs: 309, forMs: 2018 },
        { kind: 'crash', at: 3489, node: 1, crash: 'power', downMs: 1474 },
      ],
      byzantine: [{ node: 4, behaviours: ['equivocate', 'doublePropose', 'repeat'] }],
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
  [
    'a loss of power kept one block of the log from the disk, and later ones got there',
    crashScenario({ heights: 4, validators: 1 }, { effect: 76, when: 'after', crash: 'power', loss: 6 }),
  ],
  [
    'a disk that is full for two reasons at once has room when both are over',
    {
      seed: 1473,
      network: { validators: 4, powers: [18n, 13n, 9n, 14n], wire: { latencyMs: [1, 150], bandwidth: 500_000 } },
      faults: [
        { kind: 'fullDisk', at: 2708, node: 0, forMs: 2362 },
        { kind: 'fullDisk', at: 3535, node: 0, forMs: 2289 },
      ],
      byzantine: [],
    },
  ],
  [
    'a block that a killed process left to the memory of the system is on disk before the state that follows from it',
    {
      seed: 2581,
      network: {
        validators: 4,
        initialHeight: 1000,
        appIsInProcess: true,
        appSavesEvery: 1,
        appDelayMs: [0, 5],
        redialMs: 300,
        wire: { latencyMs: [10, 60], bandwidth: 1_000_000 },
        disk: { syncMs: [5, 30], writeMs: [0.1, 5] },
        txEveryMs: 150,
      },
      faults: [
        { kind: 'appDelay', at: 768, node: 1, delayMs: 81, forMs: 1392 },
        { kind: 'crashAtEffect', at: 2260, node: 2, effects: 58, when: 'after', crash: 'kill', downMs: 1413 },
        { kind: 'flap', at: 3901, node: 1, everyMs: 377, forMs: 1710 },
        { kind: 'crashAtEffect', at: 4035, node: 2, effects: 17, when: 'after', crash: 'power', downMs: 104 },
      ],
      byzantine: [],
    },
  ],
]

test.each(FOUND)('behavior: %s', async (_, scenario) => {
  const { violations } = await runScenario(scenario)
  expect(violations).toEqual([])
})
