export interface StepResult {
  readonly ok: boolean
  readonly output: string
}

export interface Step {
  readonly name: string
  /** The faults that the step looks for, in a few words. */
  readonly guards: string
  readonly run: (root: string) => StepResult | Promise<StepResult>
  /** Runs the same step on a planted fault. The result must be not ok. */
  readonly canary: (root: string) => StepResult | Promise<StepResult>
}
