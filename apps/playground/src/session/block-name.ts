import { bytesToHex } from '@org/types/bytes'

const DIGITS = 4

/** The first hex digits of a block's hash, in lower case; empty for no block. */
export function blockName(hash: Uint8Array): string {
  return bytesToHex(hash.subarray(0, DIGITS / 2)).toLowerCase()
}
