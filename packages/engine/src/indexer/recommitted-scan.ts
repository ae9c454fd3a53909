import { utf8ToBytes } from '@org/types/bytes'
import { type KeyValueStore, prefixRange } from '../store/index.ts'
import { isSamePosition } from './earlier-positions.ts'
import { parseTxKeyText, TX_HEIGHT_TAG, type TxPosition, txValuePrefix } from './keys.ts'
import { HashSet } from './search/hash-set.ts'
import { positionOfRecord } from './tx-position.ts'

type Db = Pick<KeyValueStore, 'get' | 'entryTexts' | 'valueTexts'>

/**
 * Scans the index for transactions that were committed more than once. Calls `found` with each earlier position of such
 * a transaction and with its last position. After each batch of entries, yields the number of different transactions
 * that were scanned so far. The scan keeps a fingerprint of each transaction's hash in memory until it ends.
 */
export async function* scanForRecommitted(
  db: Db,
  found: (hash: Uint8Array, earlier: TxPosition, last: TxPosition) => void,
): AsyncGenerator<number> {
  const range = prefixRange(txValuePrefix(TX_HEIGHT_TAG, ''))
  const seen = new HashSet()
  const recommitted = new HashSet()
  // The first loop reads each hash as text, because this is cheaper. But bytes that are not valid UTF-8 are lost in the
  // text, so different hashes can have equal texts. So the second loop reads the record of each hash whose text
  // occurred twice.
  for await (const hashes of db.valueTexts(range)) {
    for (const hash of hashes) if (!seen.addText(hash)) recommitted.addText(hash)
    yield seen.size
  }
  if (recommitted.size === 0) return
  for await (const entries of db.entryTexts(range)) {
    for (const [key, text] of entries) {
      const position = recommitted.hasText(text) ? parseTxKeyText(key) : undefined
      const hash = position && db.get(utf8ToBytes(key))
      const record = hash && db.get(hash)
      if (position === undefined || hash === undefined || record === undefined) continue
      const last = positionOfRecord(record)
      if (!isSamePosition(last, position)) found(hash, { height: position.height, index: position.index }, last)
    }
    yield seen.size
  }
}
