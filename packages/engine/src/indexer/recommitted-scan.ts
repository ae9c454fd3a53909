import { utf8ToBytes } from '@org/types/bytes'
import { type KeyValueStore, prefixRange } from '../store/index.ts'
import { isSamePlace } from './earlier-places.ts'
import { parseTxKeyText, TX_HEIGHT_TAG, type TxPlace, txValuePrefix } from './keys.ts'
import { HashSet } from './search/hash-set.ts'
import { placeOfRecord } from './tx-place.ts'

type Db = Pick<KeyValueStore, 'get' | 'entryTexts' | 'valueTexts'>

/**
 * Scans the index for transactions that were committed more than once. Calls `found` with each earlier place of such a
 * transaction and with its last place. After each batch of entries, yields the number of different transactions that
 * were scanned so far. The scan keeps a fingerprint of each transaction's hash in memory until it ends.
 */
export async function* scanForRecommitted(
  db: Db,
  found: (hash: Uint8Array, earlier: TxPlace, last: TxPlace) => void,
): AsyncGenerator<number> {
  const range = prefixRange(txValuePrefix(TX_HEIGHT_TAG, ''))
  const seen = new HashSet()
  const again = new HashSet()
  // The first loop reads the hashes as text, which is cheaper, but different hashes can have equal texts. So the second
  // loop reads the record of each hash whose text occurred twice.
  for await (const hashes of db.valueTexts(range)) {
    for (const hash of hashes) if (!seen.addText(hash)) again.addText(hash)
    yield seen.size
  }
  if (again.size === 0) return
  for await (const entries of db.entryTexts(range)) {
    for (const [key, text] of entries) {
      const place = again.hasText(text) ? parseTxKeyText(key) : undefined
      const hash = place && db.get(utf8ToBytes(key))
      const record = hash && db.get(hash)
      if (place === undefined || hash === undefined || record === undefined) continue
      const last = placeOfRecord(record)
      if (!isSamePlace(last, place)) found(hash, { height: place.height, index: place.index }, last)
    }
    yield seen.size
  }
}
