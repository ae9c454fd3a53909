import { base64ToBytes, bytesToBase64 } from '@org/types/bytes'
import { DEVNET_ERRORS, DevnetError } from '../errors.ts'

/** A pool that stores equal bytes only once, because the validators of a chain have the same blocks. */
export interface BytePool {
  /** Returns the index of the bytes in the pool. */
  readonly add: (bytes: Uint8Array) => number
  readonly values: () => readonly string[]
}

export function createBytePool(): BytePool {
  const places = new Map<string, number>()
  return {
    add: (bytes) => {
      const text = bytesToBase64(bytes)
      const place = places.get(text) ?? places.size
      places.set(text, place)
      return place
    },
    values: () => [...places.keys()],
  }
}

/** The error for a dump whose content is not a chain. */
export function corrupt(why: string, cause?: unknown): DevnetError {
  return new DevnetError(DEVNET_ERRORS.dumpCorrupt, `the content of the dump is not a chain: ${why}`, { cause })
}

/** Reads base64. Throws for other text. */
export function bytesOf(text: string): Uint8Array {
  const bytes = base64ToBytes(text)
  if (bytes === undefined) throw corrupt('bytes are not base64')
  return bytes
}

/**
 * Returns a function that reads the bytes at an index of the pool. It throws for an index that does not exist. All
 * calls with the same index return the same object. Otherwise a short dump that names a long entry many times would
 * fill the memory.
 */
export function readBytePool(values: readonly string[]): (place: number) => Uint8Array {
  const decoded = new Map<number, Uint8Array>()
  return (place) => {
    const known = decoded.get(place)
    if (known !== undefined) return known
    const text = values[place]
    if (typeof text !== 'string') throw corrupt(`the list of bytes has no entry ${place}`)
    const bytes = bytesOf(text)
    decoded.set(place, bytes)
    return bytes
  }
}
