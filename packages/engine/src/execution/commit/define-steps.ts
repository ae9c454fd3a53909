/** A step of an earlier height that must be done before a step of this height begins. */
export interface EarlierStep<Name extends string> {
  readonly step: Name
  /** 1 is the height before this one, 2 the height before that. */
  readonly heightsBefore: 1 | 2
}

export interface Step<Name extends string> {
  readonly name: Name
  /** The step begins when all of these are done. */
  readonly waitsFor: readonly (NoInfer<Name> | EarlierStep<NoInfer<Name>>)[]
}

/** Returns the steps, with their names as a type. A step may wait only for earlier steps of the list. */
export function defineSteps<const Name extends string, More>(
  steps: readonly (Step<Name> & More)[],
): readonly (Step<Name> & More)[] {
  const names = new Set<string>()
  for (const { name, waitsFor } of steps) {
    const unknown = waitsFor.find((wait) => typeof wait === 'string' && !names.has(wait))
    if (unknown !== undefined)
      throw new TypeError(`the step ${name} waits for ${String(unknown)}, which does not stand before it`)
    names.add(name)
  }
  return steps
}
