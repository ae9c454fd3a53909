import { bytesToBinary, utf8ToBytes } from '@org/types/bytes'
import { type KeyValueStore, prefixRange } from '../store/index.ts'
import { parseTxKeyText, TX_HEIGHT_TAG, type TxPlace, txValuePrefix } from './keys.ts'
import { HashSet } from './search/hash-set.ts'
import { placeOfRecord } from './tx-place.ts'

/**
 * The list is not made for an index with more transactions than this, because the scan of the index keeps a fingerprint
 * of each hash in memory.
 */
const MAX_TXS = 5_000_000
/**
 * The list contains the earlier places of transactions that were committed again. This is the maximum number of
 * places in the list. If there are more places, no list is kept.
 */
const MAX_MOVED = 200_000

type Db = Pick<KeyValueStore, 'get' | 'getMany' | 'entryTexts' | 'valueTexts'>

/**
 * The list of the transactions that were committed more than once. Such a transaction has keys for each of its places
 * in the chain (height and index), but only one record, which contains its last place. With this list, a search finds
 * the last place without reading the record. The list is empty at the start of the node. One scan of the index fills
 * it, and then each block that is written updates it. It is kept in memory only.
 */
export interface Recommitted {
  /**
   * Returns true if the list contains every transaction that was committed more than once. Any other transaction was
   * committed only once, so a search does not read its record to find its last place.
   */
  readonly known: () => boolean
  /** Returns false if there are too many transactions for a complete list. */
  readonly knowable: () => boolean
  /**
   * Starts the scan of the index if it is not running, and waits for its next step. Call it until `known()` is true or
   * `knowable()` is false.
   */
  readonly learn: () => Promise<void>
  /**
   * If the list is empty, returns `undefined`. Otherwise returns a function that looks up a place in the list. For an
   * earlier place of a transaction, the function returns the last place of this transaction. For any other place, the
   * function returns `undefined`.
   */
  readonly moves: () => ((place: TxPlace) => TxPlace | undefined) | undefined
  /**
   * Calls `write`, which writes the block of this height to the index, and updates the list. `hashes` are the hashes of
   * the block's transactions.
   */
  readonly whileWriting: (height: number, hashes: readonly Uint8Array[], write: () => Promise<void>) => Promise<void>
  /** Removes from the list the places (height and index) of all blocks below `retainHeight`. */
  readonly forget: (retainHeight: number) => void
}

const isSame = (a: TxPlace, b: TxPlace): boolean => a.height === b.height && a.index === b.index

/**
 * Creates an empty list. The function is long because the list is filled in two ways: by the scan of the index, and
 * by the writes after the scan has begun.
 */
export function createRecommitted({ db }: { db: Db }): Recommitted {
  let state: 'unknown' | 'learning' | 'known' | 'unknowable' = 'unknown'
  /**
   * The places (height and index) at which a block contains a transaction that a later block contains again. Maps the
   * height and the index of such a place to the hash of the transaction.
   */
  let moved = new Map<number, Map<number, string>>()
  let size = 0
  let last = new Map<string, TxPlace>()
  /**
   * Resolves when the writes that began before the scan have ended. These writes did not update the list. So the scan
   * waits for their end, and then finds their keys in the index.
   */
  let unwatched: Promise<void> = Promise.resolve()
  let progress: Promise<void> = Promise.resolve()
  let failure: unknown

  function reset(to: typeof state): void {
    state = to
    moved = new Map()
    last = new Map()
    size = 0
  }

  function note(hash: Uint8Array, from: TxPlace, to: TxPlace): void {
    const text = bytesToBinary(hash)
    last.set(text, to)
    const places = moved.get(from.height) ?? new Map<number, string>()
    moved.set(from.height, places)
    if (!places.has(from.index)) size++
    places.set(from.index, text)
    // The list contains only earlier places of transactions. But if an earlier block is indexed again, a place in
    // this block can become the last place of its transaction. Then this place is removed from the list.
    if (moved.get(to.height)?.delete(to.index)) size--
    if (size > MAX_MOVED) reset('unknowable')
  }

  async function* lookThrough(): AsyncGenerator<void> {
    await unwatched
    const range = prefixRange(txValuePrefix(TX_HEIGHT_TAG, ''))
    const seen = new HashSet()
    const again = new HashSet()
    // This pass reads the hashes as text, which is cheaper. Different hashes can have equal texts. So the next pass
    // reads the record of each hash whose text occurred twice.
    for await (const hashes of db.valueTexts(range)) {
      for (const hash of hashes) if (!seen.addText(hash)) again.addText(hash)
      if (seen.size > MAX_TXS) {
        reset('unknowable')
        return
      }
      yield
    }
    if (again.size === 0) return
    for await (const entries of db.entryTexts(range)) {
      for (const [key, text] of entries) {
        const place = again.hasText(text) ? parseTxKeyText(key) : undefined
        const hash = place && db.get(utf8ToBytes(key))
        const record = hash && db.get(hash)
        if (place === undefined || hash === undefined || record === undefined) continue
        const now = placeOfRecord(record)
        if (!isSame(now, place)) note(hash, { height: place.height, index: place.index }, now)
      }
      if (state !== 'learning') return
      yield
    }
  }

  async function run(): Promise<void> {
    let advance: () => void = () => undefined
    const step = (): void => {
      advance()
      progress = new Promise((resolve) => {
        advance = resolve
      })
    }
    step()
    try {
      for await (const _ of lookThrough()) step()
      if (state === 'learning') state = 'known'
    } catch (error) {
      failure = error
      reset('unknown')
    }
    advance()
  }

  async function whileWriting(
    height: number,
    hashes: readonly Uint8Array[],
    write: () => Promise<void>,
  ): Promise<void> {
    if (state === 'unknown' || state === 'unknowable' || hashes.length === 0) {
      const writing = write()
      // `then` drops the results of the writes. Otherwise each promise would keep the results of all earlier writes in
      // memory.
      unwatched = Promise.allSettled([unwatched, writing]).then(() => undefined)
      return writing
    }
    const records = await db.getMany(hashes)
    await write()
    const places = new Map<string, TxPlace>()
    for (const [index, hash] of hashes.entries()) {
      const record = records[index]
      const before = places.get(bytesToBinary(hash)) ?? (record && placeOfRecord(record))
      const place = { height, index }
      if (before !== undefined && !isSame(before, place)) note(hash, before, place)
      places.set(bytesToBinary(hash), place)
    }
  }

  return {
    known: () => state === 'known',
    knowable: () => state !== 'unknowable',
    learn: async () => {
      if (state === 'unknown') {
        state = 'learning'
        failure = undefined
        void run()
      }
      await progress
      if (failure !== undefined) throw failure
    },
    moves: () => {
      if (size === 0) return undefined
      return ({ height, index }) => {
        const hash = moved.get(height)?.get(index)
        return hash === undefined ? undefined : last.get(hash)
      }
    },
    whileWriting,
    forget: (retainHeight) => {
      for (const [height, places] of moved) {
        if (height >= retainHeight) continue
        size -= places.size
        moved.delete(height)
      }
      const needed = new Set<string>()
      for (const places of moved.values()) for (const hash of places.values()) needed.add(hash)
      for (const hash of last.keys()) if (!needed.has(hash)) last.delete(hash)
    },
  }
}
