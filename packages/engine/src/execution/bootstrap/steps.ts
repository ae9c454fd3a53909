import { defineSteps, type StepPlan } from '../commit/define-steps.ts'

/** How the next start repairs a step that was not durable when the process ended. */
export type BootstrapRecovery =
  /** At the next start, state sync begins again. It may restore any snapshot that peers offer then. */
  | 'restore-again'
  /**
   * At the next start, state sync compares the app hash of the application with the chain's proven app hash at the
   * application's last height. The two hashes are equal, because the application has restored the snapshot already. So
   * state sync restores no further snapshot.
   */
  | 'keep-app'

export type BootstrapStep = 'restore-app' | 'save-seen-commit' | 'mark-backfill' | 'save-state'

/**
 * The steps by which a node begins with a snapshot. The last step saves the state. If a crash comes before
 * `save-state`, the state database is empty. The next start then ignores the data that the earlier steps wrote in the
 * stores of the node. But it keeps the restored application if the app hash of the application is proven. In the
 * reference, the state is saved first, and the seen commit is saved after the state. In the reference, a crash between
 * these two writes leaves a home with which the node does not start.
 */
export const BOOTSTRAP_STEPS = defineSteps<BootstrapStep, StepPlan<BootstrapRecovery>>([
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
    // The state is saved last. Consensus cannot begin from a state without the commit of its last block. And without
    // the range of older headers that `mark-backfill` writes, the node would never fetch the headers that evidence
    // needs.
    waitsFor: ['save-seen-commit', 'mark-backfill'],
    forced: true,
    recoversBy: 'keep-app',
  },
])
