/** The labels of one series of a metric, with their values. */
export type SeriesLabels = Readonly<Record<string, string>>

/** The maximum number of series that one metric has. A node with 50 peers has about 600 series of bytes by channel. */
export const MAX_SERIES = 5000

/**
 * Returns a function that must be called with the labels of each change of a metric. When there are more than `limit`
 * series, it removes the series that has not changed for the longest time. Peers choose their ids, so the number of
 * series would otherwise grow with each new id until the node ends.
 */
export function createSeriesBound(
  limit: number,
  remove: (labels: SeriesLabels) => void,
): (labels: SeriesLabels) => void {
  // A map keeps the order of insertion. Each change moves its series to the end.
  const series = new Map<string, SeriesLabels>()
  return (labels) => {
    const key = Object.values(labels).join('\n')
    series.delete(key)
    series.set(key, labels)
    if (series.size <= limit) return
    const [oldest] = series
    if (oldest === undefined) return
    series.delete(oldest[0])
    remove(oldest[1])
  }
}
