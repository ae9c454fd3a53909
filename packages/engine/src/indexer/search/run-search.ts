import type { AttributeCondition, HeightInterval, SearchQuery, ValueTest } from './search-query.ts'

/** A key of the index that meets a condition. */
export interface KeyHit<Place> {
  /** The event that the attribute is of: hits of several conditions on one event have the same. */
  readonly event: string
  readonly place: Place
}

/** Finds the keys that meet one condition, many at a time. */
export interface IndexScan<Place> {
  readonly scan: (condition: AttributeCondition, heights: HeightInterval) => AsyncIterable<readonly KeyHit<Place>[]>
}

/** The fewer keys a condition is likely to look at, the earlier it is run. */
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
 * The places where all conditions hold in one event. Every condition is a scan of the keys of its attribute; the cheapest
 * runs first, each further one only keeps what it finds too, and none runs once nothing is left. No record is read. A place
 * may be there more than once.
 */
export async function runSearch<Place>(
  { conditions, heights }: SearchQuery,
  { scan }: IndexScan<Place>,
  signal?: AbortSignal,
): Promise<readonly Place[]> {
  const ordered = [...conditions].sort((a, b) => COSTS[a.test.kind] - COSTS[b.test.kind])
  if (heights.min > heights.max || ordered.some(({ test }) => test.kind === 'never')) return []
  let found: Map<string, Place> | undefined
  for (const condition of ordered) {
    const last = condition === ordered.at(-1)
    const kept = new Map<string, Place>()
    const places: Place[] = []
    for await (const hits of scan(condition, heights)) {
      signal?.throwIfAborted()
      for (const { event, place } of hits) {
        if (found !== undefined && !found.has(event)) continue
        if (last) places.push(place)
        else kept.set(event, place)
      }
    }
    if (last) return places
    if (kept.size === 0) return []
    found = kept
  }
  return []
}
