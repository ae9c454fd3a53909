import {
  type Argument,
  type Condition,
  isRangeOperator,
  parseDecimal,
  truncateDecimal,
} from '../../events/query/index.ts'
import { BLOCK_HEIGHT_TAG, TX_HASH_TAG, TX_HEIGHT_TAG } from '../keys.ts'
import { parseHash } from './hash.ts'
import { heightsOf } from './number-heights.ts'
import {
  ALL_HEIGHTS,
  type AttributeCondition,
  type Bound,
  type HeightInterval,
  NO_HEIGHTS,
  type NumberRange,
  type SearchQuery,
  type ValueTest,
} from './search-query.ts'

// These functions read a query as the reference does, with its peculiarities.

/**
 * The range conditions of a query on one attribute. A later bound replaces an earlier one. But if one of the lower
 * bounds was inclusive (`>=`), the last lower bound counts as inclusive too: `x >= 3 AND x > 5` is read as `x >= 5`.
 * The same rule applies to upper bounds (`<=`).
 */
interface RawRange {
  lower?: Argument
  upper?: Argument
  lowerInclusive: boolean
  upperInclusive: boolean
}

function narrow(range: RawRange, { operator, argument }: Condition): void {
  if (operator === '>' || operator === '>=') {
    range.lower = argument as Argument
    if (operator === '>=') range.lowerInclusive = true
  } else {
    range.upper = argument as Argument
    if (operator === '<=') range.upperInclusive = true
  }
}

const emptyRange = (): RawRange => ({ lowerInclusive: false, upperInclusive: false })

/**
 * Returns the range with numbers as bounds. Returns `undefined` if one of the bounds is a time or a date: such a range
 * contains nothing.
 */
function numberRange(range: RawRange): NumberRange | undefined {
  const bound = (argument: Argument | undefined, inclusive: boolean): Bound | undefined | null => {
    if (argument === undefined) return undefined
    const value = argument.type === 'number' ? parseDecimal(argument.text) : undefined
    return value === undefined ? null : { value, inclusive }
  }
  const lower = bound(range.lower, range.lowerInclusive)
  const upper = bound(range.upper, range.upperInclusive)
  if (lower === null || upper === null) return undefined
  return { ...(lower && { lower }), ...(upper && { upper }) }
}

interface HeightReading {
  /** All conditions of the query except the equalities on the height. */
  readonly others: readonly Condition[]
  /**
   * The value of the first equality on the height, as text and as a number. An equality whose value is not a number is
   * ignored. The property `equal` is `undefined` if the query has no equality on the height. It is also `undefined` if
   * the query has a condition on the height with another operator than `=`, such as `height > 5`.
   */
  readonly equal: { readonly text: string; readonly height: number } | undefined
  readonly onlyHeight: boolean
}

/**
 * Reads the conditions on the height. If the query has several equalities on the height, only the first one counts. If
 * the query also has a condition on the height with another operator than `=`, no equality counts.
 */
function readHeights(conditions: readonly Condition[], heightTag: string): HeightReading {
  const others: Condition[] = []
  let equal: HeightReading['equal']
  let restricted = false
  let onlyHeight = true
  for (const condition of conditions) {
    const { tag, operator, argument } = condition
    if (tag === heightTag && operator === '=') {
      // An equality on the height is ignored if the text of its argument is not a number.
      const value = restricted || equal ? undefined : parseDecimal((argument as Argument).text)
      if (value !== undefined) equal = { text: (argument as Argument).text, height: truncateDecimal(value) }
      continue
    }
    if (tag === heightTag) restricted = true
    else onlyHeight = false
    others.push(condition)
  }
  return { others, equal: restricted ? undefined : equal, onlyHeight }
}

interface RangeReading {
  readonly byTag: ReadonlyMap<string, RawRange>
  /** The range that limits the heights of the search; `undefined` if no range condition is on the height. */
  readonly height: RawRange | undefined
}

/**
 * Reads the range conditions. The tags `tx.height` and `block.height` share one range of heights. As in the reference,
 * the first range condition on each of the two tags empties this range, so the bounds from the other tag are lost. For
 * example, `tx.height > 5 AND block.height < 9` gives a range of heights without a lower bound.
 */
function readRanges(conditions: readonly Condition[]): RangeReading {
  const byTag = new Map<string, RawRange>()
  let height: RawRange | undefined
  for (const condition of conditions) {
    const { tag, operator } = condition
    if (!isRangeOperator(operator)) continue
    const isHeight = tag === TX_HEIGHT_TAG || tag === BLOCK_HEIGHT_TAG
    let range = byTag.get(tag)
    if (range === undefined) {
      range = emptyRange()
      byTag.set(tag, range)
      if (isHeight) height = emptyRange()
    }
    narrow(range, condition)
    if (isHeight && height !== undefined) narrow(height, condition)
  }
  return { byTag, height }
}

function heightsFor(range: RawRange | undefined, equal: HeightReading['equal']): HeightInterval {
  if (range !== undefined) {
    const numbers = numberRange(range)
    return numbers === undefined ? NO_HEIGHTS : heightsOf(numbers)
  }
  // The reference treats `height = 0` as if the query had no condition on the height.
  return equal === undefined || equal.height === 0 ? ALL_HEIGHTS : { min: equal.height, max: equal.height }
}

function rangeTest(range: RawRange): ValueTest {
  const numbers = numberRange(range)
  return numbers === undefined ? { kind: 'never' } : { kind: 'range', range: numbers }
}

function rangeConditions({ byTag }: RangeReading, heightTag: string, onlyHeight: boolean): AttributeCondition[] {
  const conditions: AttributeCondition[] = []
  for (const [tag, range] of byTag) {
    // Normally the range on the height is not added as a condition: it only limits the heights at which the other
    // conditions search. If the query has conditions only on the height, the range is added, because a search without a
    // condition finds nothing.
    if (tag !== heightTag) conditions.push({ tag, test: rangeTest(range) })
    else if (onlyHeight) conditions.push({ tag, test: { kind: 'height' } })
  }
  return conditions
}

/**
 * Returns the search for the transactions that the reference finds for a query. Throws {@link IndexError} if a hash in
 * the query is invalid.
 */
export function referenceTxQuery(conditions: readonly Condition[]): SearchQuery {
  const byHash = conditions.find(({ tag }) => tag === TX_HASH_TAG)
  if (byHash !== undefined) {
    // As in the reference, a condition on the hash makes all other conditions of the query ineffective.
    const hash = parseHash(byHash.argument?.text ?? '')
    return {
      heights: ALL_HEIGHTS,
      conditions: [{ tag: TX_HASH_TAG, test: { kind: 'equals', text: hash } }],
    }
  }
  const { others, equal, onlyHeight } = readHeights(conditions, TX_HEIGHT_TAG)
  const ranges = readRanges(others)
  const heights = heightsFor(ranges.height, equal)
  if (equal !== undefined && others.length === 0) {
    // The reference compares the height as text, so `007` finds nothing.
    const found = equal.text === String(equal.height) && equal.height > 0
    return { heights, conditions: found ? [{ tag: TX_HEIGHT_TAG, test: { kind: 'height' } }] : [] }
  }
  const result = rangeConditions(ranges, TX_HEIGHT_TAG, onlyHeight)
  for (const { tag, operator, argument } of others) {
    if (isRangeOperator(operator)) continue
    const text = argument?.text ?? ''
    if (operator === 'exists') result.push({ tag, test: { kind: 'exists' } })
    else if (operator === 'contains') result.push({ tag, test: { kind: 'contains', text } })
    else {
      // The search finds the keys that begin with the tag and `path`. `path` is the wanted value and a slash, sometimes
      // with a height. So, as in the reference, the search also finds a longer value that begins with the wanted value
      // and a slash.
      const path = equal !== undefined && equal.height > 0 ? `${text}/${equal.height}/` : `${text}/`
      result.push({ tag, test: { kind: 'path', path } })
    }
  }
  return { heights, conditions: result }
}

/** Returns the search for the blocks that the reference finds for a query. */
export function referenceBlockQuery(conditions: readonly Condition[]): SearchQuery {
  const { others, equal, onlyHeight } = readHeights(conditions, BLOCK_HEIGHT_TAG)
  if (equal !== undefined && others.length === 0) {
    const { height } = equal
    return {
      heights: { min: height, max: height },
      conditions: [{ tag: BLOCK_HEIGHT_TAG, test: { kind: 'height' } }],
    }
  }
  const ranges = readRanges(others)
  const result = rangeConditions(ranges, BLOCK_HEIGHT_TAG, onlyHeight)
  for (const { tag, operator, argument } of others) {
    if (isRangeOperator(operator)) continue
    const text = argument?.text ?? ''
    // In the reference, only range conditions and equalities find the index keys of the height. So EXISTS and CONTAINS
    // on the height find nothing.
    if (tag === BLOCK_HEIGHT_TAG) result.push({ tag, test: { kind: 'never' } })
    else if (operator === 'exists') result.push({ tag, test: { kind: 'exists' } })
    else result.push({ tag, test: { kind: operator === 'contains' ? 'contains' : 'equals', text } })
  }
  return { heights: heightsFor(ranges.height, equal), conditions: result }
}
