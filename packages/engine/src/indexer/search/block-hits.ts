import type { KeyValueStore } from '../../store/index.ts'
import { blockHeightKey, parseBlockHeightKey } from '../keys.ts'
import type { BlockHit } from './block-scan.ts'
import { NumberList, sortUnique } from './number-list.ts'
import type { SearchBudget } from './search-budget.ts'

/** The number of keys that are read in one batch. */
const READ_AT_ONCE = 512
/**
 * If the average distance between the found heights is below this number, one scan of all heights between them costs
 * less than one read per height.
 */
const MAX_SCAN_DISTANCE = 8

/**
 * Resolves with the heights of the found blocks, in ascending order, each height once. Leaves out heights whose block
 * is not indexed.
 */
export async function indexedBlocks(
  found: AsyncIterable<readonly BlockHit[]>,
  { db, budget }: { readonly db: Pick<KeyValueStore, 'getMany' | 'keys'>; readonly budget: SearchBudget },
): Promise<Float64Array> {
  const list = new NumberList()
  for await (const hits of found) for (const { height } of hits) list.add(height)
  const heights = await sortUnique(list.toArray())
  const kept = new NumberList()
  const [low, high] = [heights[0] ?? 0, heights.at(-1) ?? 0]
  if (heights.length > READ_AT_ONCE && high - low < heights.length * MAX_SCAN_DISTANCE) {
    let at = 0
    for await (const key of db.keys({ gte: blockHeightKey(low), lte: blockHeightKey(high) })) {
      const height = parseBlockHeightKey(key) ?? -1
      while ((heights[at] as number) < height) at++
      if (heights[at] === height) kept.add(height)
    }
  } else {
    for (let at = 0; at < heights.length; at += READ_AT_ONCE) {
      budget.spend(0)
      const group = [...heights.subarray(at, at + READ_AT_ONCE)]
      const records = await db.getMany(group.map(blockHeightKey))
      for (const [i, height] of group.entries()) if (records[i] !== undefined) kept.add(height)
    }
  }
  return kept.toArray()
}
