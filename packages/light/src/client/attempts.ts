import type { LightBlock } from '../block/light-block.ts'
import type { LightError } from '../errors.ts'

/** Resolves to the error of a step, or to `undefined` if the step succeeds. */
type Result = Promise<LightError | undefined>

/**
 * Verifies the steps of a bisection. One step is the verification of one block after a trusted block. Most steps
 * succeed. So while the signatures of a block are verified, the step after this block begins already.
 */
export interface Attempts {
  /** Verifies a step, or returns the result of a step that has begun already. */
  readonly verify: (from: LightBlock, to: LightBlock) => Result
  /**
   * Receives a step that the bisection will probably take, so that the verification can begin before `verify` is
   * called.
   */
  readonly expect: (from: LightBlock, to: LightBlock) => void
  /** Drops all steps that `expect` received. Must be called when the bisection takes a step that was not expected. */
  readonly forget: () => void
}

export interface AttemptsModules {
  /** Verifies a step. Calls `onSignatures` when the verification of the signatures begins. */
  readonly attempt: (from: LightBlock, to: LightBlock, onSignatures: () => void) => Result
  /**
   * Called when the bisection begins to wait for the verification of the signatures of a block. The receiver can use
   * this time to fetch other blocks.
   */
  readonly onSignatures: (block: LightBlock) => void
}

interface Step {
  readonly from: LightBlock
  readonly to: LightBlock
  readonly result: Result
}

/**
 * Makes the verifier of the steps of a bisection. The verification of at most one step begins before the bisection
 * calls `verify` for the step. So if the source lies, the client verifies at most one commit more than necessary.
 */
export function createAttempts({ attempt, onSignatures }: AttemptsModules): Attempts {
  /**
   * Maps a block to the block that will probably be verified after it. The bisection has references to the same blocks,
   * so the map needs hardly any further memory.
   */
  const expected = new Map<LightBlock, LightBlock>()
  /** The block whose signatures are verified now. The bisection waits for the result. */
  let current: LightBlock | undefined
  let nextStep: Step | undefined

  function beginNext(): void {
    const to = current && expected.get(current)
    if (current === undefined || to === undefined || nextStep !== undefined) return
    expected.delete(current)
    nextStep = { from: current, to, result: attempt(current, to, () => undefined) }
    // If the step before this one fails, the bisection never uses this result. A rejection would then have no handler,
    // so an empty handler is added.
    nextStep.result.catch(() => undefined)
  }

  function onBegin(block: LightBlock): void {
    current = block
    onSignatures(block)
    beginNext()
  }

  return {
    verify: (from, to) => {
      const step = nextStep
      if (step?.from !== from || step.to !== to) return attempt(from, to, () => onBegin(to))
      nextStep = undefined
      onBegin(to)
      return step.result
    },
    expect: (from, to) => {
      expected.set(from, to)
      beginNext()
    },
    forget: () => {
      expected.clear()
      nextStep = undefined
    },
  }
}
