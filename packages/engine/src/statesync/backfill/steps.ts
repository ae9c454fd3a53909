import { defineSteps, type StepPlan } from '../../execution/index.ts'

/** How the next start repairs a step that was not durable: the node fetches the heights of the batch again. */
export type BackfillRecovery = 'fetch-again'

export type BackfillStep = 'save-old-validators' | 'save-old-headers'

/**
 * The steps that store a batch of older headers. The last step writes the headers and the range of the stored headers
 * in one database batch. This range alone decides which headers count as stored. So a crash before the last step does
 * no harm: the next start fetches the heights again, and writes their validators again.
 */
export const BACKFILL_STEPS = defineSteps<BackfillStep, StepPlan<BackfillRecovery>>([
  {
    name: 'save-old-validators',
    writes: 'state database: validators',
    waitsFor: [],
    forced: true,
    recoversBy: 'fetch-again',
  },
  {
    name: 'save-old-headers',
    writes: 'block store: headers, commits, range of older headers',
    waitsFor: ['save-old-validators'],
    forced: true,
    recoversBy: 'fetch-again',
  },
])
