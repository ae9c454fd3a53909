import { bytesToBinary, utf8ToBytes } from '@org/types/bytes'
import { type KeyValueStore, prefixRange } from '../store/index.ts'
import { parseTxKeyText, TX_HEIGHT_TAG, type TxPlace, txValuePrefix } from './keys.ts'
import { HashSet } from './search/hash-set.ts'
import { placeOfRecord } from './tx-place.ts'

/** Transactions of which the hashes are kept while they are compared; an index with more is not looked through. */
const MAX_TXS = 5_000_000
/** Transactions known to have been committed again. */
const MAX_MOVED = 200_000

type Db = Pick<KeyValueStore, 'get' | 'getMany' | 'entryTexts' | 'valueTexts'>

/**
 * A transaction that is committed again has keys at each of its places, but its record, which the keys lead to, is of the
 * last. This knows those that were, so that the record need not be read to know where a transaction is: nothing at first,
 * then all of the index from one pass over it, and each block's own from then on. It lives in memory only.
 */
export interface Recommitted {
  /** Whether all are known: any other transaction is where its keys put it. */
  readonly known: () => boolean
  /** Whether they can be: false if there are too many transactions. */
  readonly knowable: () => boolean
  /** Looks through the index unless someone does, one step further: call it until all are known or cannot be. */
  readonly learn: () => Promise<void>
  /** Where the records of moved transactions are; `undefined` if nothing moved. */
  readonly moves: () => ((place: TxPlace) => TxPlace | undefined) | undefined
  /** Writes a block's transactions to the index; `hashes` are theirs. */
  readonly whileWriting: (height: number, hashes: readonly Uint8Array[], write: () => Promise<void>) => Promise<void>
  /** Forgets what is below a height. */
  readonly forget: (retainHeight: number) => void
}

const isSame = (a: TxPlace, b: TxPlace): boolean => a.height === b.height && a.index === b.index

export function createRecommitted({ db }: { db: Db }): Recommitted {
  let state: 'unknown' | 'learning' | 'known' | 'unknowable' = 'unknown'
  /** By height and index of a place that is not the last, the hash. */
  let moved = new Map<number, Map<number, string>>()
  let size = 0
  let last = new Map<string, TxPlace>()
  /** Writes that began while nothing was known. */
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
    // It may have come back to where it was before, when an earlier block is indexed again.
    if (moved.get(to.height)?.delete(to.index)) size--
    if (size > MAX_MOVED) reset('unknowable')
  }

  async function* lookThrough(): AsyncGenerator<void> {
    await unwatched
    const range = prefixRange(txValuePrefix(TX_HEIGHT_TAG, ''))
    const seen = new HashSet()
    const again = new HashSet()
    // As text hashes are cheaper to read; those that look alike then are looked at closely.
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
      // What came of them is dropped: each would hold the ones before it.
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
