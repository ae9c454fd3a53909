/** The maximum number of heights that are removed in one batch. */
const BATCH = 1000

/** Yields the heights from `from` to below `to` in batches that are small enough for one write, the lowest first. */
export function* heightBatches(from: number, to: number): Generator<readonly number[]> {
  for (let at = from; at < to; at += BATCH) {
    yield Array.from({ length: Math.min(BATCH, to - at) }, (_, index) => at + index)
  }
}
