import { utf8ToBytes } from '@org/types/bytes'
import type { KeyRange, KeyValueStore } from '../../store/index.ts'
import { prefixRange } from '../../store/index.ts'
import { parseTxKey, TX_HEIGHT_TAG, type TxKey, type TxPlace, txKeyValue, txValuePrefix } from '../keys.ts'
import { heightPaths } from './height-paths.ts'
import type { Meter } from './meter.ts'
import type { IndexScan, KeyHit } from './run-search.ts'
import { type AttributeCondition, type HeightInterval, inHeights, type ValueTest } from './search-query.ts'
import { holds } from './value-test.ts'

/** A transaction as the index knows it: its hash, and where this key puts it. */
export interface TxHit extends TxPlace {
  readonly hash: Uint8Array
}

function pathRanges(start: string, heights: HeightInterval): KeyRange[] {
  return heightPaths(heights).map(({ from, to }) => ({
    gte: utf8ToBytes(`${start}${from}`),
    lt: utf8ToBytes(`${start}${to}`),
  }))
}

function rangesOf({ tag, test }: AttributeCondition, heights: HeightInterval): KeyRange[] {
  if (test.kind === 'path') return [prefixRange(txValuePrefix(tag, test.path))]
  if (test.kind === 'equals') return pathRanges(`${tag}/${test.text}/`, heights)
  if (test.kind === 'height') return pathRanges(`${TX_HEIGHT_TAG}/`, heights)
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

export function createTxScan(
  { mergePlaces }: TxScanOptions,
  { db, meter }: { readonly db: Pick<KeyValueStore, 'chunks'>; readonly meter: Meter },
): IndexScan<TxHit> {
  function eventOf(hash: Uint8Array, { height, index, sequence }: TxKey): string {
    return mergePlaces ? `${String.fromCharCode(...hash)}${sequence}` : `${height}/${index}/${sequence}`
  }

  async function* scan(
    condition: AttributeCondition,
    heights: HeightInterval,
    withEvents: boolean,
  ): AsyncGenerator<KeyHit<TxHit>[]> {
    const { test } = condition
    for (const range of rangesOf(condition, heights)) {
      for await (const entries of db.chunks(range)) {
        meter.spend(entries.length)
        const hits: KeyHit<TxHit>[] = []
        for (const [key, hash] of entries) {
          const parsed = parseTxKey(key)
          if (parsed === undefined || !inHeights(parsed.height, heights)) continue
          if (!holds(test, () => testedValue(key, parsed, test))) continue
          const { height, index } = parsed
          hits.push({ event: withEvents ? eventOf(hash, parsed) : '', place: { hash, height, index } })
        }
        yield hits
      }
    }
  }
  return { scan }
}
