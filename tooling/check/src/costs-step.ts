import { join } from 'node:path'
import { costFaults, findCostFaults } from './costs.ts'
import { sourceFiles } from './imports.ts'
import { resultOf, type Step, type StepResult } from './step.ts'

const CANARIES = ['bigint.ts', 'power.ts', 'shift.ts', 'spread.ts']

/**
 * Runs the check `costs` on planted faults. If the check finds exactly the planted faults, the check works. Then this
 * function returns `ok: false`, because a step that finds faults returns `ok: false` ({@link Step.canary}).
 */
function canary(root: string): StepResult {
  const folder = join(root, 'tooling/check/canaries/costs')
  const faults = costFaults(folder, sourceFiles(folder))
  const silent = CANARIES.filter((file) => !faults.some((fault) => fault.startsWith(`${file}:`)))
  const wrong = faults.filter((fault) => fault.startsWith('fine.ts:'))
  return {
    ok: silent.length + wrong.length > 0,
    output: [...silent.map((file) => `${file}: no fault`), ...wrong].join('\n'),
  }
}

export const COSTS_STEP: Step = {
  name: 'costs',
  guards: 'refuses bigints of unbounded texts, unbounded powers, and calls with a list as arguments',
  run: (root) => resultOf(findCostFaults(root)),
  canary,
}
