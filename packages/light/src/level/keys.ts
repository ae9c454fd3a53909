import { utf8ToBytes } from '@org/types/bytes'

/**
 * The keys under which the reference stores three values: the number of stored blocks, the primary and the witnesses.
 */
export const SIZE_KEY = utf8ToBytes('size')
export const PRIMARY_KEY = utf8ToBytes('primary')
export const WITNESSES_KEY = utf8ToBytes('witnesses')
const DIGITS = 20
const MAX_HEIGHT = 2n ** 63n - 1n

export interface BlockKeys {
  readonly of: (height: number | bigint) => string
  /** Returns the height in a key, or `undefined` for a key of another prefix, which may be in the same range. */
  readonly heightOf: (key: string) => number | undefined
  readonly first: string
  readonly last: string
}

/**
 * Makes the keys `lb/<prefix>/<height with 20 digits>`, which have the order of the heights. Source: the reference's
 * `light/store/db`.
 */
export function createBlockKeys(prefix: string): BlockKeys {
  const head = `lb/${prefix}/`
  const of = (height: number | bigint): string => head + String(height).padStart(DIGITS, '0')
  return {
    of,
    heightOf: (key) => {
      const digits = key.slice(head.length)
      if (!key.startsWith(head) || !/^\d{20}$/.test(digits)) return undefined
      const height = Number(digits)
      return Number.isSafeInteger(height) ? height : undefined
    },
    first: of(1),
    last: of(MAX_HEIGHT),
  }
}

/** Encodes the number of blocks as the reference stores it: two bytes, little-endian. */
export function encodeSize(size: number): Uint8Array {
  const kept = Math.min(size, 0xffff)
  return Uint8Array.of(kept & 0xff, kept >>> 8)
}
