import { txProtoSize } from '@org/types'
import type { ResponseCheckTx } from '@org/types/abci'

/**
 * A check of a transaction before the application's check. Returns the reason if it refuses the transaction, otherwise
 * `undefined`.
 */
export type PreCheck = (tx: Uint8Array) => string | undefined
/** A check of the application's answer. Returns the reason if it refuses the transaction, otherwise `undefined`. */
export type PostCheck = (tx: Uint8Array, response: ResponseCheckTx) => string | undefined

/** Creates a check that refuses a transaction which does not fit into a block of `maxBytes` bytes. */
export function preCheckMaxBytes(maxBytes: number): PreCheck {
  return (tx) => {
    const size = txProtoSize(tx)
    return size > maxBytes ? `tx size is too big: ${size}, max: ${maxBytes}` : undefined
  }
}

/** Creates a check that refuses a transaction which wants more gas than a block may use; with -1 it refuses none. */
export function postCheckMaxGas(maxGas: bigint): PostCheck {
  return (_tx, { gasWanted }) => {
    if (maxGas === -1n) return undefined
    if (gasWanted < 0n) return `gas wanted ${gasWanted} is negative`
    return gasWanted > maxGas ? `gas wanted ${gasWanted} is greater than max gas ${maxGas}` : undefined
  }
}
