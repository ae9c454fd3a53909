import { bytesToBinary } from '@org/types/bytes'
import type { TxPlace } from './keys.ts'

/** The earlier places (height and index) of transactions that were committed again, and the last place of each. */
export interface EarlierPlaces {
  /** Records that the transaction with this hash is at the place `from`, and again at the later place `to`. */
  readonly note: (hash: Uint8Array, from: TxPlace, to: TxPlace) => void
  /** The number of earlier places. */
  readonly size: () => number
  /** For an earlier place of a transaction, returns its last place; for any other place, `undefined`. */
  readonly lastPlace: (place: TxPlace) => TxPlace | undefined
  /** Removes the places of all blocks below `retainHeight`. */
  readonly forget: (retainHeight: number) => void
  readonly clear: () => void
}

export const isSamePlace = (a: TxPlace, b: TxPlace): boolean => a.height === b.height && a.index === b.index

export function createEarlierPlaces(): EarlierPlaces {
  /** Maps the height and the index of an earlier place to the hash of the transaction. */
  const hashes = new Map<number, Map<number, string>>()
  const last = new Map<string, TxPlace>()
  let size = 0

  return {
    note: (hash, from, to) => {
      const text = bytesToBinary(hash)
      last.set(text, to)
      const places = hashes.get(from.height) ?? new Map<number, string>()
      hashes.set(from.height, places)
      if (!places.has(from.index)) size++
      places.set(from.index, text)
      // If an earlier block is indexed again, an earlier place in this block can become the last place of its
      // transaction. Then this place is removed, because it is no longer an earlier place.
      if (hashes.get(to.height)?.delete(to.index)) size--
    },
    size: () => size,
    lastPlace: ({ height, index }) => {
      const hash = hashes.get(height)?.get(index)
      return hash === undefined ? undefined : last.get(hash)
    },
    forget: (retainHeight) => {
      for (const [height, places] of hashes) {
        if (height >= retainHeight) continue
        size -= places.size
        hashes.delete(height)
      }
      const needed = new Set<string>()
      for (const places of hashes.values()) for (const hash of places.values()) needed.add(hash)
      for (const hash of last.keys()) if (!needed.has(hash)) last.delete(hash)
    },
    clear: () => {
      hashes.clear()
      last.clear()
      size = 0
    },
  }
}
