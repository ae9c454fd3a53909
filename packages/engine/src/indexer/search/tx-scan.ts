import { bytesToBinary, utf8ToBytes } from '@org/types/bytes'
import type { KeyRange, KeyValueStore } from '../../store/index.ts'
import { prefixRange } from '../../store/index.ts'
import {
  parseTxKey,
  parseTxKeyText,
  TX_HEIGHT_TAG,
  type TxKey,
  type TxPosition,
  txKeyTextValue,
  txKeyValue,
  txValuePrefix,
} from '../keys.ts'
import type { Recommitted } from '../recommitted-txs.ts'
import { heightRanges } from './height-ranges.ts'
import type { IndexScan, KeyHit } from './run-search.ts'
import type { SearchBudget } from './search-budget.ts'
import { type AttributeCondition, type HeightInterval, inHeights, type ValueTest } from './search-query.ts'
import { holds } from './value-test.ts'

/**
 * A transaction that was found by a key of the index. The height and the index of the transaction are read from this
 * key. The transaction's hash is present if hashes were requested.
 */
export interface TxHit extends KeyHit, TxPosition {
  readonly hash: Uint8Array | undefined
}

function pathRanges(start: string, heights: HeightInterval): KeyRange[] {
  return heightRanges(heights).map(({ from, to }) => ({
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

function after(range: KeyRange): KeyRange {
  const { gte: _gte, ...rest } = range
  return rest
}

export interface TxScanOptions {
  /**
   * True: the scan does what the reference does. The scan removes spaces around a value. It identifies an event by the
   * transaction's hash and the event number, which counts the indexed events since the start of the node. If a
   * transaction was committed before and after a restart, two of its events can have the same number, and count as one
   * event.
   */
  readonly asReference: boolean
  /**
   * True: the scan also reads the hash of each transaction.
   *
   * A search with `asReference` and several conditions must find the hits of the same event. So the scan needs an id of
   * each transaction. If `withHashes` is true, the id is the transaction's hash. If `withHashes` is false, the id is
   * the transaction's last position. The last position of a transaction that was committed more than once is in the
   * list `recommitted`. While this list is not complete, `withHashes` must be true for a search with `asReference` and
   * several conditions.
   */
  readonly withHashes: boolean
}

export interface TxScanModules {
  readonly db: Pick<KeyValueStore, 'chunks' | 'keyTexts'>
  readonly budget: SearchBudget
  readonly recommitted: Pick<Recommitted, 'lastPositions'>
}

/**
 * The kinds of {@link ValueTest} that need no value from the key. For these kinds, the scan reads only a range of keys
 * in which every key passes the test.
 */
const NO_VALUE: ReadonlySet<ValueTest['kind']> = new Set(['path', 'exists', 'height'])

/** When a key is read as text, this character replaces bytes that are not UTF-8. */
const LOST = '\ufffd'

export function createTxScan(
  { asReference, withHashes }: TxScanOptions,
  { db, budget, recommitted }: TxScanModules,
): IndexScan<TxHit> {
  const testedValue = (value: string): string => (asReference ? value.trim() : value)

  function eventOf(hash: Uint8Array | undefined, parsed: TxKey): string {
    const { sequence } = parsed
    if (asReference && hash !== undefined) return `${bytesToBinary(hash)}${sequence}`
    const { height, index } = (asReference && recommitted.lastPositions()?.(parsed)) || parsed
    return `${height}/${index}/${sequence}`
  }

  async function* scanEntries(
    range: KeyRange,
    test: ValueTest,
    hitOf: (parsed: TxKey, hash: Uint8Array) => TxHit | undefined,
  ): AsyncGenerator<TxHit[]> {
    for await (const entries of db.chunks(range)) {
      budget.spend(entries.length)
      const hits: TxHit[] = []
      for (const [key, hash] of entries) {
        const parsed = parseTxKey(key)
        const hit = parsed && hitOf(parsed, hash)
        if (hit !== undefined && holds(test, () => testedValue(txKeyValue(key, parsed as TxKey)))) hits.push(hit)
      }
      yield hits
    }
  }

  /**
   * Yields the hits of a range. Reads the database keys as text, because this takes less time than reading bytes. But
   * all bytes that are not UTF-8 are lost in a text, and the value of an attribute may have such bytes. If the value in
   * a key must be compared and may have lost bytes, the function stops and returns the key before this key. The caller
   * then reads the rest of the range as bytes.
   */
  async function* scanTexts(
    range: KeyRange,
    { tag, test }: AttributeCondition,
    hitOf: (parsed: TxKey) => TxHit | undefined,
  ): AsyncGenerator<TxHit[], string | undefined> {
    const anyValue = NO_VALUE.has(test.kind)
    // The position at which the wanted value ends in a key. All keys of the range begin with the tag and the wanted
    // value. If a key has a longer value, the longer value ends at a later position.
    const end =
      test.kind === 'equals' && !asReference && !tag.includes('/') ? tag.length + 1 + test.text.length : undefined
    let before = ''
    for await (const keys of db.keyTexts(range)) {
      budget.spend(keys.length)
      const hits: TxHit[] = []
      for (const key of keys) {
        if (!anyValue && end === undefined && key.includes(LOST)) {
          yield hits
          return before
        }
        before = key
        const parsed = parseTxKeyText(key)
        const hit = parsed && hitOf(parsed)
        if (hit === undefined) continue
        const isMet =
          end === undefined
            ? anyValue || holds(test, () => testedValue(txKeyTextValue(key, parsed as TxKey)))
            : (parsed as TxKey).valueEnd === end
        if (isMet) hits.push(hit)
      }
      yield hits
    }
    return undefined
  }

  async function* scan(
    condition: AttributeCondition,
    heights: HeightInterval,
    withEvents: boolean,
  ): AsyncGenerator<TxHit[]> {
    const { test } = condition
    const hitOf = (parsed: TxKey, found?: Uint8Array): TxHit | undefined => {
      const { height, index } = parsed
      if (!inHeights(height, heights)) return undefined
      const hash = withHashes ? found : undefined
      return { height, index, hash, event: withEvents ? eventOf(hash, parsed) : '' }
    }
    for (const range of rangesOf(condition, heights)) {
      const before = withHashes ? '' : yield* scanTexts(range, condition, (parsed) => hitOf(parsed))
      if (before === undefined) continue
      yield* scanEntries(before === '' ? range : { ...after(range), gt: utf8ToBytes(before) }, test, hitOf)
    }
  }
  return { scan }
}
