import { defineSteps, type EarlierStep, onlySteps, type Step, type StepPlan } from './define-steps.ts'

/** How the next start repairs a step that was not durable when the process ended. */
export type Recovery =
  /**
   * The next start feeds the WAL to the machine. The machine decides the height again, with the same block or with
   * another one.
   */
  | 'decide-again'
  /**
   * The block of the height is stored, so the lost WAL records are not needed. The next start uses this block, and
   * skips all WAL records of its height.
   */
  | 'use-block'
  /** The end-height mark is missing in the WAL. The next start writes this mark before the machine runs. */
  | 'write-mark'
  /**
   * The handshake gives the stored block to the application, and the application executes the block. Then the handshake
   * performs all steps of the commit after `finalize`.
   */
  | 'replay-block'
  /**
   * The application has committed the block already. The handshake performs the remaining steps of the commit with the
   * stored responses, without the application.
   */
  | 'replay-responses'
  /** The handshake indexes the last stored block again, from the stored responses for this block. */
  | 'index-last-block'
  /** Nothing is done, because neither the next height nor the next start needs this step. */
  | 'none'

/**
 * The steps of the commit of one block. Each entry of the list names the store that the step writes, and the steps for
 * which the step waits. The entry also says how the next start repairs the step after a crash. Consensus, block sync
 * and the replay at a start all perform these steps. Some steps may have no work, for example because the block is
 * stored already, or because block sync has no WAL. Such a step is done as soon as the steps that it waits for are
 * done.
 *
 * Steps of one height that do not wait for each other run at the same time. The first steps of the next height begin
 * while the last steps of this height still run.
 */
export const COMMIT_STEPS = defineSteps<CommitStep, StepPlan<Recovery>>([
  {
    name: 'sync-signed',
    writes: 'WAL, and state of the signer',
    waitsFor: [],
    forced: true,
    recoversBy: 'use-block',
  },
  {
    name: 'save-block',
    writes: 'block store',
    // When the block of height `h` is saved, the step `prune` of height `h − 1` is done. So each store contains height
    // `h − 1`, and no store is more than one height behind another store. The step `sync-signed` of height `h − 2` is
    // done too. So the WAL and the sign state are at most two heights behind the block store.
    waitsFor: [
      { step: 'prune', heightsBefore: 1 },
      { step: 'sync-signed', heightsBefore: 2 },
    ],
    forced: true,
    recoversBy: 'decide-again',
  },
  {
    name: 'mark-height',
    writes: 'WAL: the end-height mark',
    waitsFor: ['save-block'],
    // A crash may lose the end-height mark. Then the next start finds the stored block, and writes the mark again.
    forced: false,
    recoversBy: 'write-mark',
  },
  {
    name: 'finalize',
    // If the application runs in another process, this step must wait for `save-block`: see APP_OUTSIDE_WAITS.
    waitsFor: [],
    forced: false,
    recoversBy: 'replay-block',
  },
  {
    name: 'save-responses',
    writes: 'state database: responses',
    // The new responses replace the responses of the previous height. After a crash, the node may need the old
    // responses to write the index and the state of the previous height again. So this step waits for `prune`, the last
    // step of the previous height. When `prune` is done, that index and that state are durable.
    waitsFor: ['finalize', { step: 'prune', heightsBefore: 1 }],
    forced: true,
    recoversBy: 'replay-block',
  },
  {
    name: 'commit-app',
    writes: 'application',
    // After a crash, the handshake replays the block from the stored block and the stored responses. So both must be
    // durable before the application commits.
    waitsFor: ['save-block', 'mark-height', 'save-responses'],
    forced: false,
    recoversBy: 'replay-block',
  },
  {
    name: 'update-mempool',
    waitsFor: ['commit-app'],
    forced: false,
    recoversBy: 'none',
  },
  {
    name: 'update-evidence',
    writes: 'evidence database',
    waitsFor: ['update-mempool'],
    forced: true,
    recoversBy: 'replay-responses',
  },
  {
    name: 'index',
    writes: 'index',
    waitsFor: ['update-evidence'],
    forced: true,
    recoversBy: 'index-last-block',
  },
  {
    name: 'save-state',
    writes: 'state database: state',
    waitsFor: ['update-evidence'],
    forced: true,
    recoversBy: 'replay-responses',
  },
  {
    name: 'publish',
    // The step `publish` does not wait for the end of `index` and `save-state`. If a crash interrupts these two steps,
    // the next start repeats them from the stored data, with the same result. So a published event never becomes false.
    waitsFor: ['update-evidence'],
    forced: false,
    recoversBy: 'none',
  },
  {
    name: 'prune',
    writes: 'block store, state database, index',
    waitsFor: ['index', 'save-state'],
    forced: true,
    recoversBy: 'none',
  },
])

/** A step of the commit of a block. The steps depend on each other: see {@link commitSteps}. */
export type CommitStep =
  | 'sync-signed'
  | 'save-block'
  | 'mark-height'
  | 'finalize'
  | 'save-responses'
  | 'commit-app'
  | 'update-mempool'
  | 'update-evidence'
  | 'index'
  | 'save-state'
  | 'publish'
  | 'prune'

/**
 * The step after which the machine may begin the next height: the state is known, and the application has committed.
 */
export const STATE_IS_KNOWN: CommitStep = 'update-evidence'

/** The steps after which everything of a height is durable and published. */
export const LAST_STEPS: readonly CommitStep[] = ['prune', 'publish']

/**
 * The additional steps for which `finalize` waits if the application runs in another process. Such an application may
 * survive a crash of the node, and then report a height that it has executed but not committed. So it receives only
 * stored blocks.
 */
const APP_OUTSIDE_WAITS: readonly CommitStep[] = ['save-block']

export type PlannedStep = Step<CommitStep> & StepPlan<Recovery>

/** The steps for an application in this process, or in another one. */
export function commitSteps({ isAppInProcess }: { readonly isAppInProcess: boolean }): readonly PlannedStep[] {
  if (isAppInProcess) return COMMIT_STEPS
  return COMMIT_STEPS.map((step) => {
    if (step.name !== 'finalize') return step
    const waitsFor: readonly (CommitStep | EarlierStep<CommitStep>)[] = [...step.waitsFor, ...APP_OUTSIDE_WAITS]
    return { ...step, waitsFor }
  })
}

/** The steps for a block that only the application has lost. All other steps were done before the node stopped. */
export type ReplayStep = 'finalize' | 'commit-app'

export const REPLAY_STEPS = onlySteps<CommitStep, ReplayStep>(COMMIT_STEPS, ['finalize', 'commit-app'])
