import { bytesToHex } from '@org/types/bytes'
import type { KeyValueStore } from '../../store/index.ts'
import { type TxPlace, txHeightKeys } from '../keys.ts'
import type { Recommitted } from '../recommitted-txs.ts'
import { placeOfRecord } from '../tx-place.ts'
import type { Meter } from './meter.ts'
import { PlaceCollector, type PlaceList } from './place-list.ts'
import type { TxHit } from './tx-scan.ts'

/** The number of records that are read in one batch. */
const READ_AT_ONCE = 512

export interface PlaceOptions {
  /**
   * True: a re-committed transaction is found also by its earlier places, as in the reference. Its record contains only
   * the last place.
   */
  readonly anyPlace: boolean
  /** Returns true for a hash, in upper-case hex, that the query accepts. */
  readonly accepts: ((hash: string) => boolean) | undefined
  /** The lowest height with all its keys: lower heights were pruned, or written before blocks were indexed. */
  readonly firstHeight: number
  /**
   * The number of records that may be read. If more are needed, the list of all re-committed transactions is made
   * first.
   */
  readonly directReads: number
}

export interface PlaceModules {
  readonly db: Pick<KeyValueStore, 'getMany'>
  readonly recommitted: Recommitted
  readonly meter: Meter
}

/** Maps hits to the places of their records. */
export interface HitPlacer {
  readonly collect: (found: AsyncIterable<readonly TxHit[]>) => Promise<void>
  /** Returns true if hits were left out, because they are below `firstHeight` and came without their hashes. */
  readonly missedBelow: () => boolean
  /** Returns every transaction once. Call it once. */
  readonly finish: () => Promise<PlaceList>
}

/** The hashes at the places of transactions whose height is indexed. */
export async function hashesAt(
  places: readonly TxPlace[],
  db: Pick<KeyValueStore, 'getMany'>,
): Promise<readonly (Uint8Array | undefined)[]> {
  const keys = places.map(txHeightKeys)
  const hashes = await db.getMany(keys.map(([now]) => now))
  if (!hashes.includes(undefined)) return hashes
  const old = await db.getMany(keys.map(([, before]) => before))
  return hashes.map((hash, i) => hash ?? old[i])
}

/**
 * Reads a record only if its place is uncertain without it: for few hits, for hits at pruned heights, and if the index
 * is too large for the list of re-committed transactions.
 */
export function createHitPlacer(
  { anyPlace, accepts, firstHeight, directReads }: PlaceOptions,
  { db, recommitted, meter }: PlaceModules,
): HitPlacer {
  const places = new PlaceCollector()
  let unsure: TxHit[] = []
  let read = 0
  let missedBelow = false

  const isSure = ({ height }: TxHit): boolean => recommitted.known() && height >= firstHeight

  async function readRecords(hits: readonly TxHit[]): Promise<void> {
    meter.spend(0)
    const looked = hits[0]?.hash === undefined ? await hashesAt(hits, db) : hits.map(({ hash }) => hash)
    const known = hits.flatMap((hit, i) => {
      const hash = looked[i]
      return hash === undefined ? [] : [{ hit, hash }]
    })
    const records = await db.getMany(known.map(({ hash }) => hash))
    for (const [i, { hit }] of known.entries()) {
      const record = records[i]
      if (record === undefined) continue
      const place = placeOfRecord(record)
      if (anyPlace || (place.height === hit.height && place.index === hit.index)) places.add(place)
    }
    read += hits.length
  }

  async function placeUnsure(): Promise<void> {
    while (read + unsure.length > directReads && !recommitted.known() && recommitted.knowable()) {
      meter.spend(0)
      await recommitted.learn()
    }
    const hits = unsure
    unsure = []
    const unknown: TxHit[] = []
    for (const hit of hits) {
      if (isSure(hit)) places.add(hit)
      else unknown.push(hit)
    }
    for (let at = 0; at < unknown.length; at += READ_AT_ONCE) await readRecords(unknown.slice(at, at + READ_AT_ONCE))
  }

  return {
    collect: async (found) => {
      for await (const hits of found) {
        for (const hit of hits) {
          if (accepts !== undefined && !accepts(bytesToHex(hit.hash as Uint8Array))) continue
          if (isSure(hit)) places.add(hit)
          else if (hit.hash === undefined && hit.height < firstHeight) missedBelow = true
          else unsure.push(hit)
        }
        if (unsure.length > Math.max(directReads, READ_AT_ONCE)) await placeUnsure()
      }
      await placeUnsure()
    },
    missedBelow: () => missedBelow,
    finish: () => {
      const moves = recommitted.moves()
      if (moves === undefined) return places.finish(undefined)
      return places.finish((place) => {
        const now = moves(place)
        if (now === undefined) return place
        return anyPlace ? now : null
      })
    },
  }
}
