import { stepOrder } from '../errors.ts'

/** A step of an earlier height that must be done before a step of this height begins. */
export interface EarlierStep<Name extends string> {
  readonly step: Name
  /**
   * The number of heights between `step` and the step that waits for it. 1: `step` is of the previous height. 2: `step`
   * is of the height before the previous height.
   */
  readonly heightsBefore: 1 | 2
}

export interface Step<Name extends string> {
  readonly name: Name
  /** The steps that must be done before this step begins. */
  readonly waitsFor: readonly (NoInfer<Name> | EarlierStep<NoInfer<Name>>)[]
}

/**
 * The store that a step writes, and how the next start repairs the step. The type `Recovery` is the union of the names
 * of all repairs.
 */
export interface StepPlan<Recovery extends string> {
  /** The store or file that the step changes. Absent: the step changes memory only. */
  readonly writes?: string
  /** True if the step ends only when its writes are durable. */
  readonly forced: boolean
  /** How the next start repairs the step if it was not durable when the process ended. */
  readonly recoversBy: Recovery
}

/** Returns the steps, with their names as a type. A step may wait only for earlier steps of the list. */
export function defineSteps<const Name extends string, More>(
  steps: readonly (Step<Name> & More)[],
): readonly (Step<Name> & More)[] {
  const names = new Set<string>()
  for (const { name, waitsFor } of steps) {
    const unknown = waitsFor.find((wait) => typeof wait === 'string' && !names.has(wait))
    if (unknown !== undefined)
      throw stepOrder(`the step ${name} waits for ${String(unknown)}, which is not before it in the list`)
    names.add(name)
  }
  return steps
}

/**
 * Makes a shorter list of steps, for a height at which some steps were done before. The shorter list has only the steps
 * that the parameter `kept` names. If a kept step waits for a removed step, it now waits for the kept steps for which
 * the removed step waited. The kept steps do not wait for steps of earlier heights, because the caller completes one
 * height before it begins the next.
 */
export function onlySteps<Name extends string, Kept extends Name>(
  steps: readonly Step<Name>[],
  kept: readonly Kept[],
): readonly Step<Kept>[] {
  const isKept = (name: Name): name is Kept => kept.some((one) => one === name)
  const waitsOf = new Map<Name, ReadonlySet<Kept>>()
  for (const { name, waitsFor } of steps) {
    const waits = new Set<Kept>()
    for (const wait of waitsFor) {
      if (typeof wait !== 'string') continue
      if (isKept(wait)) waits.add(wait)
      else for (const further of waitsOf.get(wait) ?? []) waits.add(further)
    }
    waitsOf.set(name, waits)
  }
  return kept.map((name) => ({ name, waitsFor: [...(waitsOf.get(name) ?? [])] }))
}
