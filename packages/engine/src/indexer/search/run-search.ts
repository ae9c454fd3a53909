import type { AttributeCondition, HeightInterval, SearchQuery, ValueTest } from './search-query.ts'

/**
 * A key of the index that meets a condition. The types that extend this one add the position of the block or
 * transaction.
 */
export interface KeyHit {
  /**
   * A text that identifies the event of the attribute in the key. Keys of the same event have the same text. The text
   * may be empty if the function `scan` was called with `withEvents` = false.
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

/**
 * The relative cost of a condition, by the kind of its test. A condition that probably needs fewer keys costs less, and
 * is searched earlier.
 */
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
 * Yields the index keys (hits) of the events that meet all conditions, as soon as they are found. For each condition,
 * one scan reads the keys of the condition's attribute; the cheapest scan runs first. After each scan, only the events
 * remain that all scans so far have found. If no event remains, the search ends. The search reads only keys, and no
 * records. It may yield several keys for the same transaction or block.
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
