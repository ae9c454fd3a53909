import { bytesToHex } from '@org/types/bytes'
import type { KeyValueStore } from '../../store/index.ts'
import type { Recommitted } from '../recommitted.ts'
import { placeOfRecord } from '../tx-place.ts'
import type { Meter } from './meter.ts'
import { PlaceCollector, type PlaceList } from './place-list.ts'
import type { KeyHit } from './run-search.ts'
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

/**
 * Every transaction once, where its record puts it. Records are read only where it is not known otherwise: of a few hits, of
 * hits at pruned heights, and of an index that has too many transactions to know them.
 */
export async function placeHits(
  found: AsyncIterable<readonly KeyHit<TxHit>[]>,
  { anyPlace, accepts, firstHeight, directReads }: PlaceOptions,
  { db, recommitted, meter }: PlaceModules,
): Promise<PlaceList> {
  const places = new PlaceCollector()
  let unsure: TxHit[] = []
  let read = 0

  const isSure = ({ height }: TxHit): boolean => recommitted.known() && height >= firstHeight

  async function readRecords(): Promise<void> {
    const hits = unsure
    unsure = []
    for (let at = 0; at < hits.length; at += READ_AT_ONCE) {
      meter.spend(0)
      const group = hits.slice(at, at + READ_AT_ONCE)
      const records = await db.getMany(group.map(({ hash }) => hash))
      for (const [i, { height, index }] of group.entries()) {
        const record = records[i]
        if (record === undefined) continue
        const place = placeOfRecord(record)
        if (anyPlace || (place.height === height && place.index === index)) places.add(place)
      }
      read += group.length
    }
  }

  async function settle(): Promise<void> {
    while (read + unsure.length > directReads && !recommitted.known() && recommitted.knowable()) {
      meter.spend(0)
      await recommitted.learn()
    }
    for (const hit of unsure) if (isSure(hit)) places.add(hit)
    unsure = unsure.filter((hit) => !isSure(hit))
    await readRecords()
  }

  for await (const hits of found) {
    for (const { place: hit } of hits) {
      if (accepts !== undefined && !accepts(bytesToHex(hit.hash))) continue
      if (isSure(hit)) places.add(hit)
      else unsure.push(hit)
    }
    if (unsure.length > Math.max(directReads, READ_AT_ONCE)) await settle()
  }
  await settle()
  const moves = recommitted.moves()
  return places.finish(
    moves &&
      ((place) => {
        const now = moves(place)
        if (now === undefined) return place
        return anyPlace ? now : null
      }),
  )
}
