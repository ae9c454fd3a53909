import type { Machine } from '../../../src/consensus/machine/index.ts'
import { type Difference, drive } from './drive.ts'
import { RULES, type Rule } from './rules.ts'
import type { Trace } from './trace.ts'

export interface Judgement {
  /**
   * The number of steps that the validators of the Quint model made in the trace. The machines received the inputs of
   * all these steps.
   */
  readonly steps: number
  /** The number of points at which the Quint model and the machine were compared, and the number of compared facts. */
  readonly points: number
  readonly facts: number
  readonly decisions: number
  /**
   * The number of explained differences, by the name of the rule that explains them. If several comparisons find the
   * same difference, it counts once.
   */
  readonly explained: ReadonlyMap<string, number>
  readonly unexplained: readonly string[]
}

/**
 * Runs the machines on a trace, and compares them with the Quint model. Sorts the differences into those that a rule
 * explains and those that no rule explains.
 */
export function judge(trace: Trace, wrap?: (machine: Machine) => Machine): Judgement {
  const explained = new Map<string, string>()
  const unexplained = new Set<string>()
  const decisions = new Map<string, number>()
  let [points, facts] = [0, 0]
  for (const point of drive(trace, wrap)) {
    points++
    facts += point.facts
    decisions.set(point.validator, point.live.host.decided.length)
    for (const difference of point.differences) {
      const text = describe(point.validator, difference)
      // Each comparison (`point`) covers all messages that were sent earlier in the trace. So a message that differs
      // from the Quint model is a difference in all later comparisons too. The difference is explained in the first
      // comparison, and skipped in the later ones.
      if (difference.field.includes(' ') && explained.has(text)) continue
      const rule = RULES.find(({ explains }: Rule) => explains(difference, point))
      if (rule === undefined) unexplained.add(`state ${point.at}: ${text}`)
      else explained.set(text, rule.name)
    }
  }
  const counts = new Map<string, number>()
  for (const name of explained.values()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return {
    steps: trace.moves.length,
    points,
    facts,
    decisions: [...decisions.values()].reduce((sum, count) => sum + count, 0),
    explained: counts,
    unexplained: [...unexplained],
  }
}

function describe(validator: string, { field, model, machine }: Difference): string {
  return `${validator}, ${field}: ${model} in the model, ${machine} in the machine`
}
