import { type Clock, createSystemClock } from '@org/runtime'
import type { Block } from '@org/types'
import { type ResponseFinalizeBlock, TxResult } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { type Batch, type KeyValueStore, prefixRange } from '../store/index.ts'
import { INDEX_ERRORS, IndexError } from './errors.ts'
import { blockEntries } from './index-block.ts'
import { blockHeightKey } from './keys.ts'
import { DEFAULT_INDEXER_OPTIONS, type IndexerOptions } from './options.ts'
import type { Indexer } from './port.ts'
import { indexedHeights, pruneIndex } from './prune-index.ts'
import { createRecommitted } from './recommitted-txs.ts'
import { createSearch } from './search/search.ts'

/** The database of the index, and the clock for its searches. */
export interface IndexerModules {
  readonly db: KeyValueStore
  /** The clock for the time limits of searches. Default: the system clock. */
  readonly clock?: Clock
}

/**
 * The block that is being written to the index, or that could not be written. Subscribers may have received the events
 * of this block already.
 */
interface Writing {
  readonly height: number
  hashes: readonly Uint8Array[]
  /** The hashes of the block's transactions as hex text. They are computed when they are first needed. */
  texts?: ReadonlySet<string>
  ended: Promise<void>
  hasFailed: boolean
}

function isOf(writing: Writing | undefined, hash: Uint8Array): boolean {
  if (writing === undefined) return false
  writing.texts ??= new Set(writing.hashes.map(bytesToHex))
  return writing.texts.has(bytesToHex(hash))
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

function unwritten(height: number, cause: Error): IndexError {
  const message = `block ${height} could not be indexed: ${cause.message}`
  return new IndexError(INDEX_ERRORS.unwritten, message, { cause, data: { height } })
}

/**
 * Creates the index of transactions and blocks in a database. The function is long because writes, pruning and searches
 * share `writing` and the counters `changes`.
 */
export function createIndexer(
  options: Partial<IndexerOptions>,
  { db, clock = createSystemClock() }: IndexerModules,
): Indexer {
  const allOptions = { ...DEFAULT_INDEXER_OPTIONS, ...options }
  const counts = { txEvents: 0, blockEvents: 0 }
  /**
   * Two counters. `txs` grows when the result of a search for transactions may have changed. `blocks` grows when the
   * result of a search for blocks may have changed.
   */
  const changes = { txs: 0, blocks: 0 }
  const recommitted = createRecommitted({ db })
  const search = createSearch(allOptions, { db, clock, recommitted, changes, decode })
  const isStored = (height: number): boolean => db.has(blockHeightKey(height))
  let writing: Writing | undefined

  function index(block: Block, response: ResponseFinalizeBlock): Promise<void> {
    const { height } = block.header
    const mine: Writing = { height, hashes: [], ended: Promise.resolve(), hasFailed: false }
    const work = write(block, response, mine)
    mine.ended = work.then(
      () => {
        if (writing === mine) writing = undefined
      },
      (cause: Error) => {
        mine.hasFailed = true
        throw unwritten(height, cause)
      },
    )
    // If the write fails, two promises reject: `work`, which the caller of `index` receives, and `ended`, for which
    // each caller of `written` waits. If there is no caller of `written`, the rejection of `ended` would be unhandled
    // and would end the process. So the rejection of `ended` is handled and ignored at this place.
    mine.ended.catch(() => undefined)
    writing = mine
    return work
  }

  async function written(): Promise<void> {
    await writing?.ended
  }

  async function write(block: Block, response: ResponseFinalizeBlock, mine: Writing): Promise<void> {
    const { height } = block.header
    const { fill, hashes, replacedPrefixes } = blockEntries(block, response, counts)
    mine.hashes = hashes
    // A search may use the kept result of an earlier search if the counters in `changes` have not changed. A client may
    // receive the events of the block during the write, and then begin a search. So for a block with transactions, the
    // counters are increased before the write and after the write: no search uses a result from before the write.
    if (hashes.length > 0) noteChange()
    const removals: Uint8Array[] = []
    if (isStored(height)) {
      for (const prefix of replacedPrefixes()) for await (const key of db.keys(prefixRange(prefix))) removals.push(key)
    }
    const writeBlock = (batch: Batch): void => {
      for (const key of removals) batch.del(key)
      fill(batch)
    }
    await recommitted.whileWriting(height, hashes, () => db.write(writeBlock, { sync: true }))
    changes.blocks++
    if (hashes.length > 0 || removals.length > 0) changes.txs++
  }

  function noteChange(): void {
    changes.blocks++
    changes.txs++
  }

  async function prune(retainHeight: number): Promise<void> {
    const { first } = await indexedHeights(db)
    if (first === undefined || retainHeight - first < allOptions.pruneInterval) return
    // The counters in `changes` are increased before and after the pruning. A search during the pruning finds only some
    // of the entries, so its result must not be kept for later searches.
    noteChange()
    await pruneIndex(db, first, retainHeight).finally(noteChange)
    recommitted.forget(retainHeight)
  }

  return {
    enabled: true,
    index,
    hasBlock: (height) => (writing?.height === height && !writing.hasFailed) || isStored(height),
    written,
    prune,
    generation: () => changes.txs,
    tx: async (hash) => {
      if (hash.length === 0) throw new IndexError(INDEX_ERRORS.hash, 'transaction hash cannot be empty')
      let record = db.get(hash)
      // If the block that is being written contains this transaction, the call waits for the new record. If not, a
      // stored record is returned at once, even if the newest block could not be written.
      if (record === undefined || isOf(writing, hash)) {
        await written()
        record = db.get(hash)
      }
      return record === undefined ? undefined : decode(hash, record)
    },
    txs: async (options) => {
      await written()
      return search.txs(options)
    },
    blocks: async (options) => {
      await written()
      return search.blocks(options)
    },
  }
}
