import type { KeyRange, KeyValueStore } from '../../store/index.ts'
import { prefixRange } from '../../store/index.ts'
import { parseTxKey, TX_HEIGHT_TAG, type TxKey, type TxPlace, txKeyValue, txValuePrefix } from '../keys.ts'
import type { IndexScan, KeyHit } from './run-search.ts'
import type { AttributeCondition, HeightInterval, ValueTest } from './search-query.ts'
import { holds } from './value-test.ts'

/** A transaction as the index knows it: its hash as text with one character a byte, and where this key puts it. */
export interface TxHit extends TxPlace {
  readonly hash: string
}

/** So many heights are looked up one by one; more are found by going through all of them. */
const SINGLE_HEIGHTS = 64

function rangesOf({ tag, test }: AttributeCondition, { min, max }: HeightInterval): KeyRange[] {
  if (test.kind === 'path') return [prefixRange(txValuePrefix(tag, test.path))]
  if (test.kind === 'equals') return [prefixRange(txValuePrefix(tag, `${test.text}/`))]
  if (test.kind === 'height' && max - min < SINGLE_HEIGHTS) {
    return Array.from({ length: max - min + 1 }, (_, i) => prefixRange(txValuePrefix(TX_HEIGHT_TAG, `${min + i}/`)))
  }
  return [prefixRange(txValuePrefix(tag, ''))]
}

export interface TxScanOptions {
  /**
   * Events are told apart by hash and number only, as in the reference: of a transaction that was committed twice, events
   * with the same number count as one.
   */
  readonly mergePlaces: boolean
}

/** Blanks around a value are not part of it where the reference takes it out of the key. */
function testedValue(key: Uint8Array, parsed: TxKey, test: ValueTest): string {
  const value = txKeyValue(key, parsed)
  return test.kind === 'equals' ? value : value.trim()
}

export function createTxScan({ mergePlaces }: TxScanOptions, db: Pick<KeyValueStore, 'chunks'>): IndexScan<TxHit> {
  async function* scan(condition: AttributeCondition, heights: HeightInterval): AsyncGenerator<KeyHit<TxHit>[]> {
    const { test } = condition
    for (const range of rangesOf(condition, heights)) {
      for await (const entries of db.chunks(range)) {
        const hits: KeyHit<TxHit>[] = []
        for (const [key, value] of entries) {
          const parsed = parseTxKey(key)
          if (parsed === undefined || parsed.height < heights.min || parsed.height > heights.max) continue
          if (!holds(test, () => testedValue(key, parsed, test))) continue
          const { height, index, sequence } = parsed
          const hash = String.fromCharCode(...value)
          const event = mergePlaces ? `${hash}${sequence}` : `${hash}${height}/${index}/${sequence}`
          hits.push({ event, place: { hash, height, index } })
        }
        yield hits
      }
    }
  }
  return { scan }
}
