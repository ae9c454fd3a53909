import { type ResponseFinalizeBlock, TxResult } from '@org/types/abci'
import type { Block } from '@org/types/block'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import { parseQuery, type Query } from '../events/query/index.ts'
import { del, type KeyValueStore, prefixRange } from '../store/index.ts'
import { INDEX_ERRORS, IndexError } from './errors.ts'
import { blockEntries } from './index-block.ts'
import { blockHeightKey, TX_HASH_TAG } from './keys.ts'
import { INDEXER_DEFAULTS, type IndexerOptions } from './options.ts'
import { firstIndexedHeight, pruneIndex } from './prune-index.ts'
import { createBlockScan } from './search/block-scan.ts'
import { exactBlockQuery, exactTxQuery } from './search/exact-query.ts'
import { referenceBlockQuery, referenceTxQuery } from './search/reference-query.ts'
import { runSearch } from './search/run-search.ts'
import { hashBytes, placeHits } from './search/tx-hits.ts'
import { createTxScan } from './search/tx-scan.ts'

export interface SearchOptions {
  readonly query: string | Query
  readonly order: 'asc' | 'desc'
  readonly signal?: AbortSignal
  /** Overrides {@link IndexerOptions.referenceQueries}. */
  readonly referenceQueries?: boolean
}

/** What a search found, in the order asked for. Nothing is decoded before its page is asked for. */
export interface Hits<T> {
  readonly total: number
  readonly page: (skip: number, count: number) => Promise<readonly T[]>
}

/** The index of transactions and blocks. */
export interface Indexer {
  /** False if the index is off (`tx_index.indexer = "null"`). */
  readonly enabled: boolean
  /** Indexes a block and its transactions as one synced batch. Doing it again replaces what was there. */
  readonly index: (block: Block, response: ResponseFinalizeBlock) => Promise<void>
  readonly hasBlock: (height: number) => boolean
  /** Forgets everything below a height, a number of heights at a time. */
  readonly prune: (retainHeight: number) => Promise<void>
  /** `undefined` if there is none. Throws {@link IndexError} on an empty hash. */
  readonly tx: (hash: Uint8Array) => Promise<TxResult | undefined>
  /** Transactions by height and index. Throws `QueryError` and {@link IndexError}. */
  readonly txs: (options: SearchOptions) => Promise<Hits<TxResult>>
  /** Heights of blocks. */
  readonly blocks: (options: SearchOptions) => Promise<Hits<number>>
}

export function createIndexer(options: Partial<IndexerOptions>, { db }: { db: KeyValueStore }): Indexer {
  const { referenceQueries, pruneInterval } = { ...INDEXER_DEFAULTS, ...options }
  const counts = { txEvents: 0, blockEvents: 0 }
  const hasBlock = (height: number): boolean => db.has(blockHeightKey(height))

  async function index(block: Block, response: ResponseFinalizeBlock): Promise<void> {
    const { ops, stale } = blockEntries(block, response, counts)
    const removals = []
    if (hasBlock(block.header.height)) {
      for (const prefix of stale()) for await (const key of db.keys(prefixRange(prefix))) removals.push(del(key))
    }
    await db.write([...removals, ...ops], { sync: true })
  }

  async function prune(retainHeight: number): Promise<void> {
    const first = await firstIndexedHeight(db)
    if (first === undefined || retainHeight - first < pruneInterval) return
    await pruneIndex(db, first, retainHeight)
  }

  function decode(hash: Uint8Array, record: Uint8Array): TxResult {
    try {
      return TxResult.decode(record)
    } catch (cause) {
      throw new IndexError(INDEX_ERRORS.corrupt, `error reading TxResult: ${(cause as Error).message}`, {
        data: { hash: bytesToHex(hash) },
        cause,
      })
    }
  }

  function load(hash: Uint8Array): TxResult | undefined {
    const record = db.get(hash)
    return record === undefined ? undefined : decode(hash, record)
  }

  function planOf<Plan>({ query }: SearchOptions, read: (conditions: Query['conditions']) => Plan): Plan {
    return read((typeof query === 'string' ? parseQuery(query) : query).conditions)
  }

  async function findTxs(search: SearchOptions): Promise<readonly string[]> {
    const { signal } = search
    const reference = search.referenceQueries ?? referenceQueries
    const query = planOf(search, reference ? referenceTxQuery : exactTxQuery)
    const [condition] = query.conditions
    if (condition?.tag === TX_HASH_TAG && condition.test.kind === 'equals') {
      const hash = hexToBytes(condition.test.text) as Uint8Array
      return db.has(hash) ? [String.fromCharCode(...hash)] : []
    }
    const found = await runSearch(query, createTxScan({ mergePlaces: reference }, db), signal)
    const { hash: accepts } = query
    const options = {
      anyPlace: reference,
      accepts: accepts && ((hash: string) => accepts(bytesToHex(hashBytes(hash)))),
      signal,
    }
    return placeHits(found, options, db)
  }

  async function txs(search: SearchOptions): Promise<Hits<TxResult>> {
    const found = await findTxs(search)
    const { length } = found
    return {
      total: length,
      page: async (skip, count) => {
        const last = Math.min(skip + count, length)
        const results: TxResult[] = []
        for (let i = skip; i < last; i++) {
          const result = load(hashBytes(found[search.order === 'desc' ? length - 1 - i : i] as string))
          if (result !== undefined) results.push(result)
        }
        return results
      },
    }
  }

  async function blocks(search: SearchOptions): Promise<Hits<number>> {
    const reference = search.referenceQueries ?? referenceQueries
    const query = planOf(search, reference ? referenceBlockQuery : exactBlockQuery)
    const found = await runSearch(query, createBlockScan(db), search.signal)
    const heights = [...new Set(found)].filter(hasBlock).sort((a, b) => a - b)
    if (search.order === 'desc') heights.reverse()
    return { total: heights.length, page: async (skip, count) => heights.slice(skip, skip + count) }
  }

  return {
    enabled: true,
    index,
    hasBlock,
    prune,
    tx: async (hash) => {
      if (hash.length === 0) throw new IndexError(INDEX_ERRORS.hash, 'transaction hash cannot be empty')
      return load(hash)
    },
    txs,
    blocks,
  }
}
