import { TxResult } from '@org/types/abci'
import { equalBytes, utf8ToBytes } from '@org/types/bytes'
import { del, type KeyValueStore, type Op, prefixRange } from '../store/index.ts'
import {
  BLOCK_HEIGHT_TAG,
  blockHeightKey,
  blockKey,
  parseBlockHeightKey,
  parseBlockKey,
  parseTxKey,
  TX_HEIGHT_TAG,
  txEventKeyPrefix,
  txValuePrefix,
} from './keys.ts'
import { positionOfRecord } from './tx-position.ts'

/** The maximum number of deletions in one batch. */
const BATCH = 5000

/** Resolves with the lowest and the highest height whose block is indexed. */
export async function indexedHeights(
  db: Pick<KeyValueStore, 'keys'>,
): Promise<{ readonly first?: number; readonly last?: number }> {
  const all = prefixRange(blockKey(BLOCK_HEIGHT_TAG))
  for await (const low of db.keys({ ...all, limit: 1 })) {
    for await (const high of db.keys({ ...all, limit: 1, reverse: true })) {
      const [first, last] = [parseBlockHeightKey(low), parseBlockHeightKey(high)]
      return first === undefined || last === undefined ? {} : { first, last }
    }
  }
  return {}
}

async function* txDeletions(db: KeyValueStore, height: number): AsyncGenerator<Op> {
  for await (const [key, hash] of db.iterate(prefixRange(txValuePrefix(TX_HEIGHT_TAG, `${height}/`)))) {
    yield del(key)
    const index = parseTxKey(key)?.index
    const record = db.get(hash)
    if (index === undefined || record === undefined) continue
    for (const { type, attributes } of TxResult.decode(record).result.events) {
      for (const attribute of attributes) {
        if (!attribute.index) continue
        const prefix = txEventKeyPrefix(`${type}.${attribute.key}`, attribute.value, { height, index })
        for await (const [eventKey, value] of db.iterate(prefixRange(utf8ToBytes(prefix)))) {
          if (equalBytes(value, hash)) yield del(eventKey)
        }
      }
    }
    // The transaction may have been committed again at a later height. Its record has the height at which it was
    // committed last. The record is deleted only if this height is the pruned height.
    if (positionOfRecord(record).height === height) yield del(hash)
  }
}

async function* blockDeletions(db: KeyValueStore, retainHeight: number): AsyncGenerator<Op> {
  for await (const key of db.keys(prefixRange(blockKey()))) {
    const height = parseBlockKey(key)?.height
    if (height !== undefined && height < retainHeight) yield del(key)
  }
}

async function writeAll(db: KeyValueStore, ops: AsyncIterable<Op>): Promise<void> {
  let batch: Op[] = []
  for await (const op of ops) {
    batch.push(op)
    if (batch.length < BATCH) continue
    await db.write(batch)
    batch = []
  }
  await db.write(batch)
}

/**
 * Removes the index entries from height `first` up to, but not including, `retainHeight`. If the process stops before
 * the end, the same call may be repeated.
 */
export async function pruneIndex(db: KeyValueStore, first: number, retainHeight: number): Promise<void> {
  await writeAll(db, blockDeletions(db, retainHeight))
  for (let height = first; height < retainHeight; height++) {
    await writeAll(db, txDeletions(db, height))
    // The next pruning begins at the lowest height that still has this key. So this key is deleted after all other keys
    // of the height: if the process stops earlier, the next pruning deletes the keys of this height that are left.
    await db.write([del(blockHeightKey(height))], { sync: (height + 1) % 100 === 0 || height + 1 === retainHeight })
  }
}
