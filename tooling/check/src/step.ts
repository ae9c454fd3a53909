export interface StepResult {
  readonly ok: boolean
  readonly output: string
}

export interface Step {
  readonly name: string
  /** The subject of the guard, in a few words. */
  readonly guards: string
  readonly run: (root: string) => StepResult | Promise<StepResult>
  /** Runs the same guard on a planted fault. The result must not be ok. */
  readonly canary: (root: string) => StepResult | Promise<StepResult>
}
