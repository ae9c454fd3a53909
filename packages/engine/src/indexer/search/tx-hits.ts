import type { KeyValueStore } from '../../store/index.ts'
import { placeOfRecord } from '../tx-place.ts'
import type { TxHit } from './tx-scan.ts'

/** Records that are looked at in one go. */
const READ_AT_ONCE = 512

export interface PlaceOptions {
  /**
   * Of a transaction that was committed again, whose record is at its last place only: whether it is found there also by
   * what it was at an earlier one, as in the reference.
   */
  readonly anyPlace: boolean
  readonly accepts: ((hash: string) => boolean) | undefined
  readonly signal: AbortSignal | undefined
}

/** In the order of the database, roughly, where neighbours are read faster one after the other. */
function* groupsOf(found: readonly TxHit[]): Generator<readonly TxHit[]> {
  const groups: TxHit[][] = Array.from({ length: found.length > READ_AT_ONCE ? 256 : 1 }, () => [])
  for (const hit of found) groups[hit.hash.charCodeAt(0) % groups.length]?.push(hit)
  for (const group of groups) {
    for (let at = 0; at < group.length; at += READ_AT_ONCE) yield group.slice(at, at + READ_AT_ONCE)
  }
}

/** Every transaction once, where its record puts it, in the order of height and index. */
export async function placeHits(
  found: readonly TxHit[],
  options: PlaceOptions,
  db: Pick<KeyValueStore, 'getMany'>,
): Promise<readonly string[]> {
  const placed = new Map<string, TxHit>()
  for (const hits of groupsOf(found)) {
    options.signal?.throwIfAborted()
    const records = await db.getMany(hits.map(({ hash }) => hashBytes(hash)))
    for (const [i, { hash, height, index }] of hits.entries()) {
      const record = records[i]
      if (record === undefined || placed.has(hash) || options.accepts?.(hash) === false) continue
      const place = placeOfRecord(record)
      if (!options.anyPlace && (place.height !== height || place.index !== index)) continue
      placed.set(hash, { hash, ...place })
    }
  }
  return inOrder([...placed.values()])
}

/** Sorted as numbers where they fit: a comparison function would hold the event loop for long lists. */
function inOrder(hits: TxHit[]): string[] {
  let highest = 0
  let widest = 0
  for (const { height, index } of hits) {
    if (height > highest) highest = height
    if (index > widest) widest = index
  }
  const width = widest + 1
  if (!Number.isSafeInteger((highest + 1) * width)) {
    return hits.sort((a, b) => a.height - b.height || a.index - b.index).map(({ hash }) => hash)
  }
  const byPosition = new Map<number, string>()
  for (const { hash, height, index } of hits) byPosition.set(height * width + index, hash)
  return Array.from(Float64Array.from(byPosition.keys()).sort(), (position) => byPosition.get(position) as string)
}

export function hashBytes(hash: string): Uint8Array {
  const bytes = new Uint8Array(hash.length)
  for (let i = 0; i < hash.length; i++) bytes[i] = hash.charCodeAt(i)
  return bytes
}
