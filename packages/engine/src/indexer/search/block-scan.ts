import { type KeyRange, type KeyValueStore, prefixRange } from '../../store/index.ts'
import { BLOCK_HEIGHT_TAG, blockHeightKey, blockKey, parseBlockHeightKey, parseBlockKey } from '../keys.ts'
import type { IndexScan, KeyHit } from './run-search.ts'
import type { SearchBudget } from './search-budget.ts'
import { type AttributeCondition, type HeightInterval, inHeights } from './search-query.ts'
import { holds } from './value-test.ts'

function rangeOf({ tag, test }: AttributeCondition, { min, max }: HeightInterval): KeyRange {
  if (tag === BLOCK_HEIGHT_TAG) return { gte: blockHeightKey(min), lte: blockHeightKey(max) }
  if (test.kind !== 'equals') return prefixRange(blockKey(tag))
  // In the key of a block's attribute, the height follows the value. Keys with equal values are in the order of their
  // heights, so an interval of heights is one range of keys.
  return {
    gte: blockKey(tag, test.text, min),
    lt: blockKey(tag, test.text, Math.min(max + 1, Number.MAX_SAFE_INTEGER)),
  }
}

/** A block that was found by a key of the index. */
export interface BlockHit extends KeyHit {
  readonly height: number
}

export function createBlockScan({
  db,
  budget,
}: {
  readonly db: Pick<KeyValueStore, 'chunks'>
  readonly budget: SearchBudget
}): IndexScan<BlockHit> {
  function hitOf(key: Uint8Array, { tag, test }: AttributeCondition): BlockHit | undefined {
    if (tag === BLOCK_HEIGHT_TAG) {
      const height = parseBlockHeightKey(key)
      if (height === undefined || !holds(test, () => String(height))) return undefined
      return { height, event: `${height}/0` }
    }
    const parsed = parseBlockKey(key)
    if (parsed === undefined || !holds(test, () => parsed.value)) return undefined
    return { height: parsed.height, event: `${parsed.height}/${parsed.sequence}` }
  }

  async function* scan(condition: AttributeCondition, heights: HeightInterval): AsyncGenerator<BlockHit[]> {
    for await (const entries of db.chunks(rangeOf(condition, heights))) {
      budget.spend(entries.length)
      const hits: BlockHit[] = []
      for (const [key] of entries) {
        const hit = hitOf(key, condition)
        if (hit !== undefined && inHeights(hit.height, heights)) hits.push(hit)
      }
      yield hits
    }
  }
  return { scan }
}
