import { bytesToBinary } from '@org/types/bytes'
import type { KeyValueStore } from '../store/index.ts'
import { createEarlierPositions, isSamePosition } from './earlier-positions.ts'
import type { TxPosition } from './keys.ts'
import { scanForRecommitted } from './recommitted-scan.ts'
import { positionOfRecord } from './tx-position.ts'

/**
 * If the index has more transactions than this, the node does not make the list of the transactions that were committed
 * more than once. The scan of the index, which makes the list, keeps a fingerprint of each transaction's hash in
 * memory. For more transactions, the fingerprints would take too much memory.
 */
const MAX_TXS = 5_000_000
/**
 * The maximum number of earlier positions in the list of transactions that were committed more than once. The positions
 * of all transactions are counted together. If there are more earlier positions, no list is kept.
 */
const MAX_EARLIER_PLACES = 200_000

type Db = Pick<KeyValueStore, 'get' | 'getMany' | 'entryTexts' | 'valueTexts'>

/**
 * The list of the transactions that were committed more than once. Such a transaction has keys for each of its
 * positions in the chain (height and index), but only one record, which contains its last position. With this list, a
 * search finds the last position without reading the record. The list is empty at the start of the node. One scan of
 * the index fills the list, and then each block that is written updates the list. The list is kept in memory only.
 */
export interface Recommitted {
  /**
   * Returns true if the list contains every transaction that was committed more than once. Then a transaction that is
   * not in the list has only one position. So a search does not need to read the record of this transaction to find its
   * last position.
   */
  readonly isComplete: () => boolean
  /**
   * Returns false if the index has too many transactions or too many earlier positions. Then the list stays empty, and
   * is never complete.
   */
  readonly mayBeComplete: () => boolean
  /**
   * Continues the scan of the index that fills the list. The first call starts the scan. Each call resolves when the
   * scan has read one more batch of entries. The caller repeats the call until `isComplete()` returns true or
   * `mayBeComplete()` returns false. If the scan fails, the call rejects, and the next call starts the scan again.
   */
  readonly continueScan: () => Promise<void>
  /**
   * Returns a function that looks up a position in the list; `undefined` if the list is empty. A transaction that was
   * committed more than once has one last position, and earlier positions. For an earlier position, the function
   * returns the last position of the same transaction. For a position that is not in the list, the function returns
   * `undefined`.
   */
  readonly lastPositions: () => ((position: TxPosition) => TxPosition | undefined) | undefined
  /**
   * Calls the function `write`, which writes the block of this height to the index. If the scan of the index has begun,
   * the call then finds the transactions of this block that were committed before, and adds these transactions to the
   * list. `hashes` are the hashes of all transactions of the block.
   */
  readonly whileWriting: (height: number, hashes: readonly Uint8Array[], write: () => Promise<void>) => Promise<void>
  /** Removes from the list the positions (height and index) of all blocks below `retainHeight`. */
  readonly forget: (retainHeight: number) => void
}

/** Creates an empty list. */
export function createRecommitted({ db }: { db: Db }): Recommitted {
  let state: 'empty' | 'scanning' | 'complete' | 'tooLarge' = 'empty'
  const earlierPlaces = createEarlierPositions()
  /**
   * Resolves when the writes of blocks that began before the scan of the index have ended. These writes do not add
   * their transactions to the list of transactions that were committed more than once. So the scan begins only after
   * these writes, and finds their keys in the index.
   */
  let earlierWrites: Promise<void> = Promise.resolve()
  let progress: Promise<void> = Promise.resolve()
  let failure: unknown

  function reset(to: typeof state): void {
    state = to
    earlierPlaces.clear()
  }

  function note(hash: Uint8Array, from: TxPosition, to: TxPosition): void {
    earlierPlaces.note(hash, from, to)
    if (earlierPlaces.size() > MAX_EARLIER_PLACES) reset('tooLarge')
  }

  async function scan(step: () => void): Promise<void> {
    await earlierWrites
    for await (const seen of scanForRecommitted(db, note)) {
      if (seen > MAX_TXS) reset('tooLarge')
      if (state !== 'scanning') return
      step()
    }
    if (state === 'scanning') state = 'complete'
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
      await scan(step)
    } catch (error) {
      failure = error
      reset('empty')
    }
    advance()
  }

  async function whileWriting(
    height: number,
    hashes: readonly Uint8Array[],
    write: () => Promise<void>,
  ): Promise<void> {
    if (state === 'empty' || state === 'tooLarge' || hashes.length === 0) {
      const writing = write()
      // `then` replaces the result of `allSettled` by `undefined`. Otherwise each promise would keep the results of all
      // earlier writes in memory.
      earlierWrites = Promise.allSettled([earlierWrites, writing]).then(() => undefined)
      return writing
    }
    const records = await db.getMany(hashes)
    await write()
    const positions = new Map<string, TxPosition>()
    for (const [index, hash] of hashes.entries()) {
      const record = records[index]
      const before = positions.get(bytesToBinary(hash)) ?? (record && positionOfRecord(record))
      const position = { height, index }
      if (before !== undefined && !isSamePosition(before, position)) note(hash, before, position)
      positions.set(bytesToBinary(hash), position)
    }
  }

  return {
    isComplete: () => state === 'complete',
    mayBeComplete: () => state !== 'tooLarge',
    continueScan: async () => {
      if (state === 'empty') {
        state = 'scanning'
        failure = undefined
        void run()
      }
      await progress
      if (failure !== undefined) throw failure
    },
    lastPositions: () => (earlierPlaces.size() === 0 ? undefined : earlierPlaces.lastPosition),
    whileWriting,
    forget: earlierPlaces.forget,
  }
}
