import { bytesToHex } from '@org/types/bytes'
import type { KeyValueStore } from '../../store/index.ts'
import { type TxPosition, txHeightKeys } from '../keys.ts'
import type { Recommitted } from '../recommitted-txs.ts'
import { positionOfRecord } from '../tx-position.ts'
import type { SearchBudget } from './search-budget.ts'
import { TxPositionCollector, type TxPositionList } from './tx-position-list.ts'
import type { TxHit } from './tx-scan.ts'

/** The number of records that are read in one batch. */
const READ_AT_ONCE = 512

export interface TxResolverOptions {
  /**
   * True: a transaction that was committed more than once is also found by the keys of its earlier places, as in the
   * reference. False: the transaction is found only by the keys of its last place. The record of the transaction
   * contains this last place.
   */
  readonly anyPosition: boolean
  /**
   * A function that returns true if the query accepts a transaction with this hash. The hash is in upper-case hex. The
   * option `accepts` is `undefined` if the query accepts every hash.
   */
  readonly accepts: ((hash: string) => boolean) | undefined
  /**
   * The lowest height whose block is indexed. From this height on, the index has all keys. Below this height, keys may
   * be missing: pruning may have removed them, or an old version that did not index blocks may have written the
   * entries.
   */
  readonly firstHeight: number
  /**
   * The number of records that a search may read to find the last places of transactions. The last place of a
   * transaction is its height and index where it was committed last. If a search needs more records, it first makes the
   * list of all transactions that were committed more than once. A transaction that is not in this list has only one
   * place, so the search needs no record for it.
   */
  readonly directReads: number
}

export interface TxResolverModules {
  readonly db: Pick<KeyValueStore, 'getMany'>
  readonly recommitted: Recommitted
  readonly budget: SearchBudget
}

/**
 * Finds the last place of each transaction that a search found: the height of the last block that contains the
 * transaction, and the transaction's index in this block.
 */
export interface TxResolver {
  readonly collect: (found: AsyncIterable<readonly TxHit[]>) => Promise<void>
  /**
   * Returns true if `collect` has skipped hits below the height `firstHeight`, because these hits came without the
   * hashes of their transactions. The hash is the key of the transaction's record, which contains the transaction's
   * last place. The caller must search the heights below `firstHeight` again, with hashes.
   */
  readonly missedBelow: () => boolean
  /** Returns the positions of all found transactions, each once. `finish` must be called only once. */
  readonly finish: () => Promise<TxPositionList>
}

/**
 * Returns the hashes of the transactions at these positions, in the same order; `undefined` for a position that is not
 * indexed.
 */
export async function hashesAt(
  positions: readonly TxPosition[],
  db: Pick<KeyValueStore, 'getMany'>,
): Promise<readonly (Uint8Array | undefined)[]> {
  const keys = positions.map(txHeightKeys)
  const hashes = await db.getMany(keys.map(([now]) => now))
  if (!hashes.includes(undefined)) return hashes
  const old = await db.getMany(keys.map(([, before]) => before))
  return hashes.map((hash, i) => hash ?? old[i])
}

/**
 * Creates a {@link TxResolver}. A hit is an index key. It contains the height and the index at which a transaction was
 * committed. If the transaction was committed again later, its last height and index are in its record. The list of all
 * re-committed transactions makes most reads of records unnecessary. The resolver reads the record of a hit only in two
 * cases: this list is not complete, or the height of the hit is below `firstHeight`, where the index may lack keys.
 */
export function createTxResolver(
  { anyPosition, accepts, firstHeight, directReads }: TxResolverOptions,
  { db, recommitted, budget }: TxResolverModules,
): TxResolver {
  const positions = new TxPositionCollector()
  let unsure: TxHit[] = []
  let read = 0
  let missedBelow = false

  const isSure = ({ height }: TxHit): boolean => recommitted.isComplete() && height >= firstHeight

  async function readRecords(hits: readonly TxHit[]): Promise<void> {
    budget.spend(0)
    const looked = hits[0]?.hash === undefined ? await hashesAt(hits, db) : hits.map(({ hash }) => hash)
    const known = hits.flatMap((hit, i) => {
      const hash = looked[i]
      return hash === undefined ? [] : [{ hit, hash }]
    })
    const records = await db.getMany(known.map(({ hash }) => hash))
    for (const [i, { hit }] of known.entries()) {
      const record = records[i]
      if (record === undefined) continue
      const position = positionOfRecord(record)
      if (anyPosition || (position.height === hit.height && position.index === hit.index)) positions.add(position)
    }
    read += hits.length
  }

  async function placeUnsure(): Promise<void> {
    while (read + unsure.length > directReads && !recommitted.isComplete() && recommitted.mayBeComplete()) {
      budget.spend(0)
      await recommitted.continueScan()
    }
    const hits = unsure
    unsure = []
    const unknown: TxHit[] = []
    for (const hit of hits) {
      if (isSure(hit)) positions.add(hit)
      else unknown.push(hit)
    }
    for (let at = 0; at < unknown.length; at += READ_AT_ONCE) await readRecords(unknown.slice(at, at + READ_AT_ONCE))
  }

  return {
    collect: async (found) => {
      for await (const hits of found) {
        for (const hit of hits) {
          if (accepts !== undefined && !accepts(bytesToHex(hit.hash as Uint8Array))) continue
          if (isSure(hit)) positions.add(hit)
          else if (hit.hash === undefined && hit.height < firstHeight) missedBelow = true
          else unsure.push(hit)
        }
        if (unsure.length > Math.max(directReads, READ_AT_ONCE)) await placeUnsure()
      }
      await placeUnsure()
    },
    missedBelow: () => missedBelow,
    finish: () => {
      const lastPositionOf = recommitted.lastPositions()
      if (lastPositionOf === undefined) return positions.finish(undefined)
      return positions.finish((position) => {
        const now = lastPositionOf(position)
        if (now === undefined) return position
        return anyPosition ? now : null
      })
    },
  }
}
