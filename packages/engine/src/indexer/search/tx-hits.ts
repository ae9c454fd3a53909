import { bytesToHex } from '@org/types/bytes'
import type { KeyValueStore } from '../../store/index.ts'
import { type TxPlace, txHeightKeys } from '../keys.ts'
import type { Recommitted } from '../recommitted.ts'
import { placeOfRecord } from '../tx-place.ts'
import type { Meter } from './meter.ts'
import { PlaceCollector, type PlaceList } from './place-list.ts'
import type { TxHit } from './tx-scan.ts'

/** Records that are looked at in one go. */
const READ_AT_ONCE = 512

export interface PlaceOptions {
  /**
   * Of a transaction that was committed again, whose record is at its last place only: whether it is found there also by
   * what it was at an earlier one, as in the reference.
   */
  readonly anyPlace: boolean
  /** Whether the hash, in upper-case hex, is one of those asked for. */
  readonly accepts: ((hash: string) => boolean) | undefined
  /** The lowest height that has all its keys: what is below was pruned, or written before blocks were indexed. */
  readonly firstHeight: number
  /** Records that may be read before all re-committed transactions are looked for. */
  readonly directReads: number
}

export interface PlaceModules {
  readonly db: Pick<KeyValueStore, 'getMany'>
  readonly recommitted: Recommitted
  readonly meter: Meter
}

/** Puts hits where their records are. */
export interface HitPlacer {
  readonly collect: (found: AsyncIterable<readonly TxHit[]>) => Promise<void>
  /** Whether hits below the lowest complete height came without their hashes; they were left out. */
  readonly missedBelow: () => boolean
  /** Every transaction once. Call it once. */
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
 * Records are read only where it is not known otherwise where they are: of a few hits, of hits at pruned heights, and of an
 * index that has too many transactions to know them.
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

  async function settle(): Promise<void> {
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
        if (unsure.length > Math.max(directReads, READ_AT_ONCE)) await settle()
      }
      await settle()
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
