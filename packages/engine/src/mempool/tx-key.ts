import { bytesToBinary } from '@org/types/bytes'
import { sha256Text } from '@org/types/crypto'

/** A transaction's SHA-256 as a string of 32 characters, one per byte, to be used as a map key. */
export type TxKey = string

export function txKey(tx: Uint8Array): TxKey {
  return sha256Text(tx)
}

export function hashToTxKey(hash: Uint8Array): TxKey {
  return bytesToBinary(hash)
}
