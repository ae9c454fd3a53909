import { bytesToBinary } from '@org/types/bytes'
import type { TxPosition } from './keys.ts'

/**
 * The earlier positions (height and index) of transactions that were committed again, and the last position of each.
 */
export interface EarlierPositions {
  /** Records that the transaction with this hash is at the position `from`, and again at the later position `to`. */
  readonly note: (hash: Uint8Array, from: TxPosition, to: TxPosition) => void
  /** The number of earlier positions. */
  readonly size: () => number
  /** For an earlier position of a transaction, returns its last position; for any other position, `undefined`. */
  readonly lastPosition: (position: TxPosition) => TxPosition | undefined
  /** Removes the positions of all blocks below `retainHeight`. */
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
      // If an earlier block is indexed again, an earlier position in this block can become the last position of its
      // transaction. Then this position is removed, because it is no longer an earlier position.
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
