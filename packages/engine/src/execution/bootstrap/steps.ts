import { defineSteps } from '../commit/define-steps.ts'

/** How the next start repairs a step that was not durable when the process ended. */
export type BootstrapRecovery =
  /** State sync begins again with any snapshot that peers offer at the next start. */
  | 'restore-again'
  /**
   * State sync finds that the application already has the proven app hash of its last height, and restores no snapshot.
   */
  | 'keep-app'

export interface BootstrapStepPlan {
  /** The store that the step changes. */
  readonly writes: string
  /** True if the step ends only when what it wrote is durable. */
  readonly forced: boolean
  readonly recoversBy: BootstrapRecovery
}

export type BootstrapStep = 'restore-app' | 'save-seen-commit' | 'mark-backfill' | 'save-state'

/**
 * The steps by which a node begins with a snapshot. The last step saves the state. If a crash comes before
 * `save-state`, the state database is empty. The next start then ignores the data that the earlier steps wrote, except
 * for the application: it keeps the restored application if the app hash is proven. The reference saves the state
 * before the commit. In the reference, a crash between these two writes leaves a home that does not start.
 */
export const BOOTSTRAP_STEPS = defineSteps<BootstrapStep, BootstrapStepPlan>([
  {
    name: 'restore-app',
    writes: 'application',
    waitsFor: [],
    // The node cannot force the restored data to the disk: the application decides when its data are durable.
    forced: false,
    recoversBy: 'restore-again',
  },
  {
    name: 'save-seen-commit',
    writes: 'block store: seen commit',
    waitsFor: ['restore-app'],
    forced: true,
    recoversBy: 'keep-app',
  },
  {
    name: 'mark-backfill',
    writes: 'block store: range of older headers',
    waitsFor: ['save-seen-commit'],
    forced: true,
    recoversBy: 'keep-app',
  },
  {
    name: 'save-state',
    writes: 'state database: state, validators, parameters',
    // Consensus cannot begin from a state without the commit of its last block. Without the mark of `mark-backfill`,
    // the node would never fetch the headers that evidence needs.
    waitsFor: ['save-seen-commit', 'mark-backfill'],
    forced: true,
    recoversBy: 'keep-app',
  },
])
