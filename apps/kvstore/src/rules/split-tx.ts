import type { Pair } from './rules.ts'

export const EQUALS = 0x3d
export const COLON = 0x3a

export function countByte(bytes: Uint8Array, wanted: number): number {
  let count = 0
  for (const byte of bytes) if (byte === wanted) count++
  return count
}

/** True if `bytes` has `separator` exactly once, with other bytes on both sides of it. */
export function splitsOnce(bytes: Uint8Array, separator: number): boolean {
  const at = bytes.indexOf(separator)
  return at > 0 && at < bytes.length - 1 && bytes.indexOf(separator, at + 1) < 0
}

/**
 * Splits a transaction at its only `=`. If the transaction does not have exactly one `=` with bytes on both sides of
 * it, both key and value are the whole transaction.
 */
export function pairAtOnlyEquals(tx: Uint8Array): Pair {
  return splitsOnce(tx, EQUALS) ? halvesOf(tx) : { key: tx, value: tx }
}

/**
 * Splits a transaction at its first `=`; the parts may be empty. If the transaction has no `=`, both key and value are
 * the whole transaction.
 */
export function pairAtFirstEquals(tx: Uint8Array): Pair {
  return tx.includes(EQUALS) ? halvesOf(tx) : { key: tx, value: tx }
}

/** Returns the parts before and after the first `=`. */
export function halvesOf(tx: Uint8Array): Pair {
  const at = tx.indexOf(EQUALS)
  return { key: tx.subarray(0, at), value: tx.subarray(at + 1) }
}
