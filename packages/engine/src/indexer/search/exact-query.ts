import { type Argument, type Condition, compileQuery, parseDecimal } from '../../events/query/index.ts'
import { BLOCK_HEIGHT_TAG, TX_HASH_TAG, TX_HEIGHT_TAG } from '../keys.ts'
import { parseHash } from './hash.ts'
import { heightsOf } from './number-heights.ts'
import {
  ALL_HEIGHTS,
  type AttributeCondition,
  type HeightInterval,
  NO_HEIGHTS,
  type NumberRange,
  type SearchQuery,
  type ValueTest,
} from './search-query.ts'

// These functions apply every condition of a query. The functions in `reference-query.ts` ignore some conditions, as
// the reference does.

function intersect(a: HeightInterval, b: HeightInterval): HeightInterval {
  return { ...a, min: Math.max(a.min, b.min), max: Math.min(a.max, b.max) }
}

/**
 * Returns the range of the numbers that meet the condition; `undefined` if the argument of the condition is not a
 * number.
 */
function rangeOf({ operator, argument }: Condition): NumberRange | undefined {
  const value = parseDecimal((argument as Argument).text)
  if (value === undefined) return undefined
  const inclusive = operator !== '<' && operator !== '>'
  return {
    ...(operator !== '<' && operator !== '<=' && { lower: { value, inclusive } }),
    ...(operator !== '>' && operator !== '>=' && { upper: { value, inclusive } }),
  }
}

/** Returns a function that tests whether a value meets the condition, by the rules for subscriptions. */
function matcherOf(condition: Condition): (value: string) => boolean {
  const matches = compileQuery({ conditions: [condition], text: '' })
  return (value) => matches({ [condition.tag]: [value] })
}

function testOf(condition: Condition): ValueTest {
  const { operator, argument } = condition
  const text = argument?.text ?? ''
  if (operator === 'exists') return { kind: 'exists' }
  if (operator === 'contains') return { kind: 'contains', text }
  if (argument?.type === 'string') return { kind: 'equals', text }
  if (argument?.type !== 'number') return { kind: 'matches', matches: matcherOf(condition) }
  return { kind: 'range', range: rangeOf(condition) as NumberRange }
}

/**
 * The attribute that contains the type of an event. In subscriptions every event has this attribute, but the index has
 * no entries for it.
 */
const EVENT_TYPE_TAG = 'tm.event'
/**
 * The values that `tm.event` has in subscriptions: `TX_EVENT_TYPES` for a transaction, `BLOCK_EVENT_TYPES` for a
 * block and its events.
 */
const TX_EVENT_TYPES = ['Tx']
const BLOCK_EVENT_TYPES = ['NewBlock', 'NewBlockEvents', 'NewBlockHeader']

/**
 * Removes the conditions on `tm.event` that every entry of the index meets, such as `tm.event = 'Tx'` in a search for
 * transactions. Every other condition on `tm.event` stays in the query. An entry meets such a condition only if the
 * application itself has set an attribute with the name `tm.event`.
 */
function withoutEventType(all: readonly Condition[], eventTypes: readonly string[]): readonly Condition[] {
  return all.filter((condition) => condition.tag !== EVENT_TYPE_TAG || !eventTypes.some(matcherOf(condition)))
}

function exactQuery(all: readonly Condition[], heightTag: string): SearchQuery {
  let heights = ALL_HEIGHTS
  const conditions: AttributeCondition[] = []
  for (const condition of all) {
    const { tag, operator, argument } = condition
    if (tag !== heightTag) conditions.push({ tag, test: testOf(condition) })
    else if (operator === 'contains') {
      // In the index, the key of a height belongs to no event. So a condition on the height is not compared with
      // events. Instead, it limits the heights of the search.
      heights = { ...heights, contains: [...(heights.contains ?? []), (argument as Argument).text] }
    } else if (operator !== 'exists') {
      const range = rangeOf(condition)
      heights = intersect(heights, range === undefined ? NO_HEIGHTS : heightsOf(range))
    }
  }
  if (conditions.length === 0) conditions.push({ tag: heightTag, test: { kind: 'height' } })
  return { heights, conditions }
}

export function exactBlockQuery(conditions: readonly Condition[]): SearchQuery {
  return exactQuery(withoutEventType(conditions, BLOCK_EVENT_TYPES), BLOCK_HEIGHT_TAG)
}

export function exactTxQuery(given: readonly Condition[]): SearchQuery {
  const all = withoutEventType(given, TX_EVENT_TYPES)
  const isHash = ({ tag }: Condition): boolean => tag === TX_HASH_TAG
  const query = exactQuery(
    all.filter((condition) => !isHash(condition)),
    TX_HEIGHT_TAG,
  )
  const hashes = all.filter(isHash)
  if (hashes.length === 0) return query
  const equal = hashes.find(({ operator, argument }) => operator === '=' && argument?.type === 'string')
  const upper = hashes.map(({ argument, ...rest }) => ({
    ...rest,
    argument: argument && {
      ...argument,
      text: argument.type === 'string' ? argument.text.toUpperCase() : argument.text,
    },
  }))
  const tests = upper.map(matcherOf)
  // As in the reference, an invalid hash in the query is an error.
  const text = equal === undefined ? undefined : parseHash(equal.argument?.text ?? '')
  if (text !== undefined && hashes.length === all.length) {
    const same = tests.every((matches) => matches(text))
    return { heights: query.heights, conditions: same ? [{ tag: TX_HASH_TAG, test: { kind: 'equals', text } }] : [] }
  }
  return {
    ...query,
    hash: (hex) => (text === undefined || text === hex) && tests.every((matches) => matches(hex)),
  }
}
