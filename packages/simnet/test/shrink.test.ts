import { expect, test } from 'vitest'
import { type Fault, type RunResult, type Scenario, shrink } from '../src/index.ts'

const NOTHING: RunResult = {
  seed: 0,
  digest: '',
  heights: 0,
  virtualMs: 0,
  happened: 0,
  restarts: 0,
  counts: {},
  violations: [],
  tail: [],
}
const freeze = (node: number): Fault => ({ kind: 'freeze', at: 500, node, forMs: 100 })

test('default: faults that the broken rule does not need are removed', async () => {
  const scenario: Scenario = {
    seed: 1,
    network: {},
    faults: [freeze(0), freeze(1), freeze(2), freeze(3)],
    byzantine: [{ node: 3, behaviours: ['withhold', 'equivocate', 'repeat'] }],
  }
  /**
   * Simulates a run. An invariant is violated only if the faults of the nodes 1 and 3 and the lie `equivocate` occur
   * together.
   */
  const run = async ({ faults, byzantine }: Scenario): Promise<RunResult> => {
    const frozen = faults.map((fault) => 'node' in fault && fault.node)
    const isBroken = frozen.includes(1) && frozen.includes(3) && byzantine[0]?.behaviours.includes('equivocate')
    const violations = isBroken === true ? [{ rule: 'agreement', detail: '', atMs: 0 }] : []
    return { ...NOTHING, violations }
  }
  const small = await shrink(scenario, 'agreement', { run, attempts: 60 })
  expect(small.faults).toEqual([freeze(1), freeze(3)])
  expect(small.byzantine).toEqual([{ node: 3, behaviours: ['equivocate'] }])
})
