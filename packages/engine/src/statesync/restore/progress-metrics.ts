import type { Metrics } from '@org/runtime'
import type { RestoreProgress } from './ports.ts'

/**
 * Returns a function that writes the progress of a restore to metrics. The names of the metrics are those of version
 * 0.35 of the reference.
 */
export function createProgressMetrics(metrics: Metrics): (progress: RestoreProgress) => void {
  const height = metrics.gauge({
    name: 'statesync_snapshot_height',
    help: 'The height of the snapshot that is being restored. 0 if there is none.',
  })
  const applied = metrics.gauge({
    name: 'statesync_snapshot_chunk',
    help: 'Number of chunks of the snapshot that the application has accepted.',
  })
  const total = metrics.gauge({
    name: 'statesync_snapshot_chunk_total',
    help: 'Number of chunks of the snapshot that is being restored.',
  })
  return ({ snapshot, applied: chunks }) => {
    height.set(snapshot?.height ?? 0)
    applied.set(chunks)
    total.set(snapshot?.chunks ?? 0)
  }
}
