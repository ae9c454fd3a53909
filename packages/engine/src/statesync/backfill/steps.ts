import { defineSteps } from '../../execution/index.ts'

export interface BackfillStepPlan {
  /** The database that this step of the backfill changes, and the entries that the step writes. */
  readonly writes: string
  /**
   * How the next start recovers if a crash lost what this step wrote. `fetch-again`: the node fetches the heights of
   * the batch again.
   */
  readonly recoversBy: 'fetch-again'
}

export type BackfillStep = 'save-old-validators' | 'save-old-headers'

/**
 * The steps that store a batch of older headers. The last step writes the headers and the range of the stored headers
 * in one database batch. This range alone decides which headers count as stored. So a crash before the last step does
 * no harm: the next start fetches the heights again, and writes their validators again.
 */
export const BACKFILL_STEPS = defineSteps<BackfillStep, BackfillStepPlan>([
  {
    name: 'save-old-validators',
    writes: 'state database: validators',
    waitsFor: [],
    recoversBy: 'fetch-again',
  },
  {
    name: 'save-old-headers',
    writes: 'block store: headers, commits, range of older headers',
    waitsFor: ['save-old-validators'],
    recoversBy: 'fetch-again',
  },
])
