import type { AttributeCondition, HeightInterval, SearchQuery, ValueTest } from './search-query.ts'

/** A key of the index that meets a condition. Implementations add the place of the block or transaction. */
export interface KeyHit {
  /**
   * The event of the attribute: hits of several conditions on one event have the same value. Empty if not requested.
   */
  readonly event: string
}

/** Finds the keys that meet one condition, in batches. */
export interface IndexScan<Hit extends KeyHit> {
  readonly scan: (
    condition: AttributeCondition,
    heights: HeightInterval,
    withEvents: boolean,
  ) => AsyncIterable<readonly Hit[]>
}

/** The order in which conditions run: those that probably read fewer keys run earlier. */
const COSTS: Readonly<Record<ValueTest['kind'], number>> = {
  never: 0,
  equals: 1,
  path: 1,
  contains: 2,
  range: 2,
  matches: 2,
  exists: 3,
  height: 4,
}

/**
 * Yields the places where all conditions hold in one event, as soon as they are found. Each condition is a scan of the
 * keys of its attribute. The cheapest scan runs first. Each further scan keeps only the places that it finds too, and
 * no scan runs when no place is left. No record is read. A place may be yielded more than once.
 */
export async function* runSearch<Hit extends KeyHit>(
  { conditions, heights }: SearchQuery,
  { scan }: IndexScan<Hit>,
): AsyncGenerator<readonly Hit[]> {
  const ordered = [...conditions].sort((a, b) => COSTS[a.test.kind] - COSTS[b.test.kind])
  if (heights.min > heights.max || ordered.some(({ test }) => test.kind === 'never')) return
  const last = ordered.pop()
  if (last === undefined) return
  let found: Set<string> | undefined
  for (const condition of ordered) {
    const kept = new Set<string>()
    for await (const hits of scan(condition, heights, true)) {
      for (const { event } of hits) if (found === undefined || found.has(event)) kept.add(event)
    }
    if (kept.size === 0) return
    found = kept
  }
  for await (const hits of scan(last, heights, found !== undefined)) {
    const events = found
    yield events === undefined ? hits : hits.filter(({ event }) => events.has(event))
  }
}
