import type { Clock } from '@org/runtime'
import type { TxResult } from '@org/types/abci'
import { hexToBytes } from '@org/types/bytes'
import { type Condition, parseQuery } from '../../events/query/index.ts'
import type { KeyValueStore } from '../../store/index.ts'
import { TX_HASH_TAG } from '../keys.ts'
import type { IndexerOptions } from '../options.ts'
import type { Hits, Indexer, SearchOptions } from '../port.ts'
import { indexedHeights } from '../prune-index.ts'
import type { Recommitted } from '../recommitted-txs.ts'
import { positionOfRecord } from '../tx-position.ts'
import { indexedBlocks } from './block-hits.ts'
import { createBlockScan } from './block-scan.ts'
import { exactBlockQuery, exactTxQuery } from './exact-query.ts'
import { referenceBlockQuery, referenceTxQuery } from './reference-query.ts'
import { runSearch } from './run-search.ts'
import { createSearchBudget } from './search-budget.ts'
import type { SearchQuery } from './search-query.ts'
import { createSharedSearches, type Found } from './shared-searches.ts'
import { TxPositionCollector, type TxPositionList } from './tx-position-list.ts'
import { createTxResolver, hashesAt } from './tx-resolver.ts'
import { createTxScan } from './tx-scan.ts'

export interface SearchModules {
  readonly db: KeyValueStore
  readonly clock: Clock
  readonly recommitted: Recommitted
  /**
   * Two counters. `txs` grows when the result of a search for transactions may have changed. `blocks` grows when the
   * result of a search for blocks may have changed.
   */
  readonly changes: { readonly txs: number; readonly blocks: number }
  readonly decode: (hash: Uint8Array, record: Uint8Array) => TxResult
}

interface Asked {
  readonly conditions: readonly Condition[]
  readonly reference: boolean
  /** A text that identifies the search: equal searches have equal texts. */
  readonly text: string
}

/**
 * Returns the positions in a list of the items that are on one page. The page skips `skip` items and has at most
 * `count` items. With the order `desc`, the first page has the last items of the list.
 */
function positionsOf(length: number, order: 'asc' | 'desc', [skip, count]: readonly [number, number]): number[] {
  const selected: number[] = []
  for (let i = skip; i < Math.min(skip + count, length); i++) selected.push(order === 'desc' ? length - 1 - i : i)
  return selected
}

/**
 * Creates the searches of an index. While the index does not change, equal searches share one run. The result of the
 * run is kept if there is memory for it.
 */
export function createSearch(
  options: IndexerOptions,
  { db, clock, recommitted, changes, decode }: SearchModules,
): Pick<Indexer, 'txs' | 'blocks'> {
  const shared = createSharedSearches<Found>({ maxBytes: options.hitCacheBytes })

  function read({ query, referenceQueries }: SearchOptions): Asked {
    const { conditions } = typeof query === 'string' ? parseQuery(query) : query
    const reference = referenceQueries ?? options.referenceQueries
    return { conditions, reference, text: `${reference} ${JSON.stringify(conditions)}` }
  }

  async function findTxs(query: SearchQuery, reference: boolean, signal: AbortSignal): Promise<TxPositionList> {
    const budget = createSearchBudget(options, { clock, signal })
    const [condition] = query.conditions
    if (condition?.tag === TX_HASH_TAG && condition.test.kind === 'equals') {
      const record = db.get(hexToBytes(condition.test.text) as Uint8Array)
      const one = new TxPositionCollector()
      if (record !== undefined) one.add(positionOfRecord(record))
      return one.finish(undefined)
    }
    const { first = query.heights.max, last = query.heights.max } = await indexedHeights(db)
    const { directReads } = options
    const resolver = createTxResolver(
      { anyPosition: reference, accepts: query.hash, firstHeight: first, directReads },
      { db, recommitted, budget },
    )
    const collect = (max: number, withHashes: boolean): Promise<void> => {
      const heights = { ...query.heights, max: Math.min(max, query.heights.max) }
      const scan = createTxScan({ asReference: reference, withHashes }, { db, budget, recommitted })
      return resolver.collect(runSearch({ ...query, heights }, scan))
    }
    const merges = reference && query.conditions.length > 1 && !recommitted.isComplete()
    await collect(last, merges || query.hash !== undefined)
    if (resolver.missedBelow()) await collect(first - 1, true)
    return resolver.finish()
  }

  async function pageOf(positions: TxPositionList, selected: readonly number[]): Promise<readonly TxResult[]> {
    const hashes = await hashesAt(selected.map(positions.at), db)
    const known = hashes.filter((hash) => hash !== undefined)
    const records = await db.getMany(known)
    return known.flatMap((hash, i) => {
      const record = records[i]
      return record === undefined ? [] : [decode(hash, record)]
    })
  }

  async function txs(search: SearchOptions): Promise<Hits<TxResult>> {
    const { conditions, reference, text } = read(search)
    const query = (reference ? referenceTxQuery : exactTxQuery)(conditions)
    const positions = (await shared.find(
      { text: `txs ${text}`, generation: () => changes.txs },
      (signal) => findTxs(query, reference, signal),
      search.signal,
    )) as TxPositionList
    return {
      total: positions.length,
      page: async (skip, count) => pageOf(positions, positionsOf(positions.length, search.order, [skip, count])),
    }
  }

  async function blocks(search: SearchOptions): Promise<Hits<number>> {
    const { conditions, reference, text } = read(search)
    const query = (reference ? referenceBlockQuery : exactBlockQuery)(conditions)
    const heights = (await shared.find(
      { text: `blocks ${text}`, generation: () => changes.blocks },
      async (signal) => {
        const budget = createSearchBudget(options, { clock, signal })
        return indexedBlocks(runSearch(query, createBlockScan({ db, budget })), { db, budget })
      },
      search.signal,
    )) as Float64Array
    return {
      total: heights.length,
      page: async (skip, count) =>
        positionsOf(heights.length, search.order, [skip, count]).map((i) => heights[i] as number),
    }
  }

  return { txs, blocks }
}
