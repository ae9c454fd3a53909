import type { State } from '@org/types'
import { type BlockToCommit, type CommitModules, commitActions } from './commit-actions.ts'
import { createStepRunner, type StepRun } from './run-steps.ts'
import { type CommitStep, commitSteps, LAST_STEPS, STATE_IS_KNOWN } from './steps.ts'

export interface CommitSequenceOptions {
  /**
   * True if the application runs in this process. A crash then loses the work of the application too. So the
   * application may execute a block while the node still saves the block.
   */
  readonly isAppInProcess: boolean
}

/** The parts of the node that {@link createCommitSequence} uses. */
export interface CommitSequenceModules extends CommitModules {
  /**
   * Called after the action of each step, for example by a test that imitates a crash. The step is done when the
   * returned promise resolves. Not called for a step without an action.
   */
  readonly onStep?: ((step: CommitStep) => void | Promise<void>) | undefined
}

/**
 * Commits blocks in the order of their heights. The first steps of a block may run while the last steps of the previous
 * block are still running.
 */
export interface CommitSequence {
  /**
   * Commits a valid block. Resolves with the state after the block when the application has committed the block. The
   * caller may then continue with the next height. This call waits for some steps of this block and of earlier blocks.
   * It rejects if one of these steps fails.
   */
  readonly commit: (given: BlockToCommit) => Promise<State>
  /**
   * Resolves when all blocks that `commit` received so far, and all results of their commits, are durable and
   * published. Rejects if a step failed.
   */
  readonly durable: () => Promise<void>
}

export function createCommitSequence(
  { isAppInProcess }: CommitSequenceOptions,
  modules: CommitSequenceModules,
): CommitSequence {
  const runSteps = createStepRunner(commitSteps({ isAppInProcess }))
  let last: StepRun<CommitStep> | undefined
  let beforeLast: StepRun<CommitStep> | undefined

  return {
    commit: async (given) => {
      const { actions, state } = commitActions(given, modules)
      const run = runSteps({ actions, earlier: [last, beforeLast], onStep: modules.onStep })
      beforeLast = last
      last = run
      await run.when(STATE_IS_KNOWN)
      return state()
    },
    durable: async () => {
      const run = last
      if (run !== undefined) await Promise.all(LAST_STEPS.map(run.when))
    },
  }
}

/**
 * Commits one valid block. Resolves with the state after the block when the block and all results of its commit are
 * durable.
 */
export async function commitBlock(given: BlockToCommit, modules: CommitSequenceModules): Promise<State> {
  const sequence = createCommitSequence({ isAppInProcess: true }, modules)
  const state = await sequence.commit(given)
  await sequence.durable()
  return state
}
