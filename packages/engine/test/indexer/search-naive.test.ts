import type { Event } from '@org/types/abci'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Condition, parseQuery } from '../../src/events/query/index.ts'
import { createIndexer, type Indexer } from '../../src/indexer/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { type TestBlock, testBlock, testQuery } from './arbitrary.ts'
import { indexBlock } from './index-block.ts'

// These tests compare the exact search, without the reference's peculiarities, with a simple walk over all entries.

function asNumber(text: string): number {
  if (/^[+-]?inf$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return /^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
}

function asTime(text: string, type: string): number {
  const pattern = type === 'date' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\dT/
  return pattern.test(text) ? Date.parse(text) : Number.NaN
}

function compares(operator: string, a: number, b: number): boolean {
  if (operator === '=') return a === b
  if (operator === '<') return a < b
  if (operator === '<=') return a <= b
  return operator === '>' ? a > b : a >= b
}

function meets(value: string, { operator, argument }: Condition): boolean {
  const text = argument?.text ?? ''
  if (operator === 'exists') return true
  if (operator === 'contains') return value.includes(text)
  if (argument?.type === 'string') return value === text
  if (argument?.type === 'number') return compares(operator, asNumber(value), asNumber(text))
  const type = argument?.type as string
  return compares(operator, asTime(value, type), asTime(text, type))
}

/** Returns whether the height meets a condition on the height. A quoted argument is read as a number. */
function heightMeets(height: number, condition: Condition): boolean {
  if (condition.operator !== '=') return meets(String(height), condition)
  return compares('=', height, asNumber(condition.argument?.text ?? ''))
}

function eventMeets({ type, attributes }: Event, condition: Condition): boolean {
  return attributes.some(
    ({ key, value, index }) =>
      index && type !== '' && key !== '' && `${type}.${key}` === condition.tag && meets(value, condition),
  )
}

/** Returns true if the height meets all conditions on the height, and one single event meets all other conditions. */
function found(events: readonly Event[], height: number, query: string, heightTag: string): boolean {
  const { conditions } = parseQuery(query)
  const onEvents = conditions.filter(({ tag }) => tag !== heightTag)
  return (
    conditions.filter(({ tag }) => tag === heightTag).every((condition) => heightMeets(height, condition)) &&
    (onEvents.length === 0 || events.some((event) => onEvents.every((condition) => eventMeets(event, condition))))
  )
}

const chain = fc.array(testBlock, { minLength: 1, maxLength: 12 })

const RUNS = Number(process.env.SEARCH_RUNS ?? 500)

/**
 * The number of indexed blocks after which the test makes a first search. At this search, the index scans its entries
 * for transactions that were committed more than once. If the number is Infinity, the index never scans its entries for
 * such transactions. Instead, each search reads the record of each transaction that it finds.
 */
const knownFrom = fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(12))

async function indexed(
  blocks: readonly TestBlock[],
  referenceQueries: boolean,
  known = Number.POSITIVE_INFINITY,
): Promise<Indexer> {
  const directReads = known === Number.POSITIVE_INFINITY ? known : 0
  const indexer = createIndexer({ referenceQueries, directReads }, { db: createMemoryStore() })
  for (const [i, block] of blocks.entries()) {
    if (i === known) await indexer.txs({ query: 'tx.height>0', order: 'asc' })
    await indexBlock(indexer, i + 1, block)
  }
  return indexer
}

async function txPlaces(indexer: Indexer, query: string, order: 'asc' | 'desc' = 'asc'): Promise<readonly string[]> {
  const hits = await indexer.txs({ query, order })
  const page = await hits.page(0, 100)
  expect(page.length).toBe(hits.total)
  return page.map(({ height, index }) => `${height}/${index}`)
}

const empty: TestBlock = { txs: [], events: [] }
const event = { type: 'a', attributes: [{ key: 's', value: '5', index: true }] }

const blanks = { type: 'a', attributes: [{ key: 's', value: ' x ', index: true }] }

describe('search as it is written', () => {
  it('behavior: finds the same blocks as a scan of all blocks', async () => {
    await fc.assert(
      fc.asyncProperty(chain, testQuery('block.height', 'tx.height'), async (blocks, query) => {
        const hits = await (await indexed(blocks, false)).blocks({ query, order: 'asc' })
        const expected = blocks.flatMap(({ events }, i) => (found(events, i + 1, query, 'block.height') ? i + 1 : []))
        expect(await hits.page(0, 100)).toEqual(expected)
      }),
      {
        numRuns: RUNS,
        examples: [
          [[empty, empty, { txs: [], events: [event] }], "a.s EXISTS AND block.height CONTAINS '3'"],
          [[{ txs: [], events: [blanks] }], "a.s CONTAINS ' x '"],
        ],
      },
    )
  })

  it('behavior: finds the same transactions as a scan of all transactions', async () => {
    await fc.assert(
      fc.asyncProperty(chain, testQuery('tx.height', 'block.height'), knownFrom, async (blocks, query, known) => {
        const last = new Map<string, string>()
        const positions = blocks.flatMap(({ txs }, i) => txs.map((tx, index) => ({ ...tx, height: i + 1, index })))
        for (const { tx, height, index } of positions) last.set(tx, `${height}/${index}`)
        const expected = positions.filter(
          ({ tx, events, height, index }) =>
            last.get(tx) === `${height}/${index}` && found(events, height, query, 'tx.height'),
        )
        expect(await txPlaces(await indexed(blocks, false, known), query)).toEqual(
          expected.map(({ height, index }) => `${height}/${index}`),
        )
      }),
      {
        numRuns: RUNS,
        examples: [
          [
            [empty, empty, { txs: [{ tx: 'tx0', events: [event] }], events: [] }, empty],
            "a.s EXISTS AND tx.height CONTAINS '3'",
            Number.POSITIVE_INFINITY,
          ],
          [[{ txs: [{ tx: 'tx0', events: [blanks] }], events: [] }], "a.s CONTAINS ' x '", 0],
        ],
      },
    )
  })
})

describe('search as the reference reads it', () => {
  it('behavior: a search with the list of re-committed transactions finds the same as a search that reads their records', async () => {
    await fc.assert(
      fc.asyncProperty(chain, testQuery('tx.height', 'block.height'), fc.nat(12), async (blocks, query, known) => {
        const outcome = async (indexer: Indexer): Promise<unknown> => {
          try {
            const [up, down] = [await txPlaces(indexer, query), await txPlaces(indexer, query, 'desc')]
            expect(down).toEqual([...up].reverse())
            return up
          } catch (error) {
            return (error as Error).message
          }
        }
        const read = await outcome(await indexed(blocks, true))
        expect(await outcome(await indexed(blocks, true, known))).toEqual(read)
      }),
      { numRuns: RUNS },
    )
  })
})
