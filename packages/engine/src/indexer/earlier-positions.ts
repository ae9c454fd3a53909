import { bytesToBinary } from '@org/types/bytes'
import type { TxPosition } from './keys.ts'

/**
 * The positions (height and index in the block) of transactions that were committed more than once. The position that
 * was indexed last is the last position of the transaction, and each of its remaining positions is an earlier position.
 * This object maps each earlier position to the last position.
 */
export interface EarlierPositions {
  /** Records that the transaction with this hash is at the position `from`, and again at the later position `to`. */
  readonly note: (hash: Uint8Array, from: TxPosition, to: TxPosition) => void
  /**
   * The number of earlier positions of all transactions. A transaction has earlier positions only if it was committed
   * more than once.
   */
  readonly size: () => number
  /**
   * If the position is an earlier position of a transaction, returns the last position of this transaction. For a
   * position that is not an earlier position, returns `undefined`.
   */
  readonly lastPosition: (position: TxPosition) => TxPosition | undefined
  /** Removes the earlier positions in all blocks below the height `retainHeight`. */
  readonly forget: (retainHeight: number) => void
  readonly clear: () => void
}

export const isSamePosition = (a: TxPosition, b: TxPosition): boolean => a.height === b.height && a.index === b.index

export function createEarlierPositions(): EarlierPositions {
  /** Maps the height and the index of an earlier position to the hash of the transaction. */
  const hashes = new Map<number, Map<number, string>>()
  const last = new Map<string, TxPosition>()
  let size = 0

  return {
    note: (hash, from, to) => {
      const text = bytesToBinary(hash)
      last.set(text, to)
      const positions = hashes.get(from.height) ?? new Map<number, string>()
      hashes.set(from.height, positions)
      if (!positions.has(from.index)) size++
      positions.set(from.index, text)
      // If an old block is indexed again, the position of a transaction in this block becomes the transaction's last
      // position. Then this position is no longer an earlier position, so it is removed from `hashes`.
      if (hashes.get(to.height)?.delete(to.index)) size--
    },
    size: () => size,
    lastPosition: ({ height, index }) => {
      const hash = hashes.get(height)?.get(index)
      return hash === undefined ? undefined : last.get(hash)
    },
    forget: (retainHeight) => {
      for (const [height, positions] of hashes) {
        if (height >= retainHeight) continue
        size -= positions.size
        hashes.delete(height)
      }
      const needed = new Set<string>()
      for (const positions of hashes.values()) for (const hash of positions.values()) needed.add(hash)
      for (const hash of last.keys()) if (!needed.has(hash)) last.delete(hash)
    },
    clear: () => {
      hashes.clear()
      last.clear()
      size = 0
    },
  }
}
