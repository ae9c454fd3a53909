import type { Scenario } from './make-scenario.ts'
import type { RunResult } from './run-scenario.ts'

/**
 * Removes the faults and the dishonest behaviours of a scenario one after the other. A removal stays only if the
 * remaining scenario still violates the same rule. Makes at most `attempts` runs.
 */
export async function shrink(
  scenario: Scenario,
  rule: string,
  { run, attempts }: { readonly run: (scenario: Scenario) => Promise<RunResult>; readonly attempts: number },
): Promise<Scenario> {
  let best = scenario
  let remainingRuns = attempts

  async function breaks(candidate: Scenario): Promise<boolean> {
    if (remainingRuns-- <= 0) return false
    const { violations } = await run(candidate)
    return violations.some((violation) => violation.rule === rule)
  }

  for (let i = best.faults.length - 1; i >= 0; i--) {
    const candidate = { ...best, faults: best.faults.toSpliced(i, 1) }
    if (await breaks(candidate)) best = candidate
  }
  if (best.byzantine.length > 0) {
    const candidate = { ...best, byzantine: [] }
    if (await breaks(candidate)) return candidate
  }
  for (const [index, { node, behaviours }] of best.byzantine.entries()) {
    let kept = behaviours
    for (const behaviour of behaviours) {
      const fewer = kept.filter((each) => each !== behaviour)
      const candidate = { ...best, byzantine: best.byzantine.toSpliced(index, 1, { node, behaviours: fewer }) }
      if (!(await breaks(candidate))) continue
      kept = fewer
      best = candidate
    }
  }
  return best
}
