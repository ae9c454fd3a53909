import type { Metrics } from '@org/runtime'

export interface BackfillMetrics {
  /** Sets the number of heights whose headers are stored. */
  readonly stored: (heights: number) => void
  /** Sets the number of heights whose headers are needed. */
  readonly needed: (heights: number) => void
}

/** Creates the metrics of a backfill. Their names are those of version 0.35 of the reference. */
export function createBackfillMetrics(metrics: Metrics): BackfillMetrics {
  const stored = metrics.gauge({
    name: 'statesync_backfilled_blocks',
    help: 'Number of blocks below the snapshot whose headers are stored for evidence.',
  })
  const needed = metrics.gauge({
    name: 'statesync_backfill_blocks_total',
    help: 'Maximum number of blocks below the snapshot whose headers may be needed for evidence.',
  })
  return { stored: (heights) => stored.set(heights), needed: (heights) => needed.set(heights) }
}
