export interface StepResult {
  readonly ok: boolean
  readonly output: string
}

/** Returns the result of a step that looked for faults. Each fault is one line of text. */
export const resultOf = (faults: readonly string[]): StepResult => ({
  ok: faults.length === 0,
  output: faults.join('\n'),
})

export interface Step {
  readonly name: string
  /** The kinds of fault that the step looks for, in a few words. */
  readonly guards: string
  readonly run: (root: string) => StepResult | Promise<StepResult>
  /** Runs the step on planted faults. The step must find them, so it must return `ok: false`. */
  readonly canary: (root: string) => StepResult | Promise<StepResult>
}
