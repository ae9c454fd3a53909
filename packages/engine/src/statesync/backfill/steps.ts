import { defineSteps } from '../../execution/index.ts'

export interface BackfillStepPlan {
  /** The store that the step changes. */
  readonly writes: string
  /** How the next start repairs the step if it was not durable: it fetches the heights of the batch again. */
  readonly recoversBy: 'fetch-again'
}

export type BackfillStep = 'save-old-validators' | 'save-old-headers'

/**
 * The steps by which a batch of older headers is stored. The last step also stores the range of the headers, in the same
 * batch. Only this range decides which headers are present. So a crash before this step has no effect: the validators
 * are written again.
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
