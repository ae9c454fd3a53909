import type { ResponseCheckTx } from '@org/types/abci'
import { txProtoSize } from '@org/types/block'

/** Checks a transaction before the application does; returns the reason of a refusal. */
export type PreCheck = (tx: Uint8Array) => string | undefined
/** Checks the application's answer; returns the reason of a refusal. */
export type PostCheck = (tx: Uint8Array, response: ResponseCheckTx) => string | undefined

/** Refuses a transaction that does not fit into a block. */
export function preCheckMaxBytes(maxBytes: number): PreCheck {
  return (tx) => {
    const size = txProtoSize(tx)
    return size > maxBytes ? `tx size is too big: ${size}, max: ${maxBytes}` : undefined
  }
}

/** Refuses a transaction that wants more gas than a block has; -1 is no limit. */
export function postCheckMaxGas(maxGas: bigint): PostCheck {
  return (_tx, { gasWanted }) => {
    if (maxGas === -1n) return undefined
    if (gasWanted < 0n) return `gas wanted ${gasWanted} is negative`
    return gasWanted > maxGas ? `gas wanted ${gasWanted} is greater than max gas ${maxGas}` : undefined
  }
}
