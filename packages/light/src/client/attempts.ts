import type { LightBlock } from '../block/light-block.ts'
import type { LightError } from '../errors.ts'

/** The error of a step that does not succeed. */
type Result = Promise<LightError | undefined>

/** The steps of a bisection. While one is verified, the step after it begins, as if the first one was successful. */
export interface Attempts {
  /** Verifies a step, or returns the result of a step that has begun already. */
  readonly verify: (from: LightBlock, to: LightBlock) => Result
  /** To be called with each step that will probably come. */
  readonly expect: (from: LightBlock, to: LightBlock) => void
  /** To be called when other steps will come than those that were expected. */
  readonly forget: () => void
}

export interface AttemptsModules {
  /** Verifies a step. Calls `onSignatures` when all checks but those of the signatures have succeeded. */
  readonly attempt: (from: LightBlock, to: LightBlock, onSignatures: () => void) => Result
  /** Called when the signatures of a block are verified in its turn. */
  readonly onSignatures: (block: LightBlock) => void
}

interface Step {
  readonly from: LightBlock
  readonly to: LightBlock
  readonly result: Result
}

/** At most one step is verified before its turn, so that a source that lies costs one commit more. */
export function createAttempts({ attempt, onSignatures }: AttemptsModules): Attempts {
  /** The next block of each block. The blocks are those that the scout and the pivots hold. */
  const expected = new Map<LightBlock, LightBlock>()
  /** The block whose signatures are verified in their turn. */
  let current: LightBlock | undefined
  let early: Step | undefined

  function beginNext(): void {
    const to = current && expected.get(current)
    if (current === undefined || to === undefined || early !== undefined) return
    expected.delete(current)
    early = { from: current, to, result: attempt(current, to, () => undefined) }
    // The result is needed only if the step before is successful.
    early.result.catch(() => undefined)
  }

  function onTurn(block: LightBlock): void {
    current = block
    onSignatures(block)
    beginNext()
  }

  return {
    verify: (from, to) => {
      const step = early
      if (step?.from !== from || step.to !== to) return attempt(from, to, () => onTurn(to))
      early = undefined
      onTurn(to)
      return step.result
    },
    expect: (from, to) => {
      expected.set(from, to)
      beginNext()
    },
    forget: () => {
      expected.clear()
      early = undefined
    },
  }
}
