import type { ResponseCheckTx } from '@org/types/abci'
import { txProtoSize } from '@org/types/block'

/** Looks at a transaction before the application does; a text says why it is refused. */
export type PreCheck = (tx: Uint8Array) => string | undefined
/** Looks at the application's answer; a text says why the transaction is refused. */
export type PostCheck = (tx: Uint8Array, response: ResponseCheckTx) => string | undefined

/** Refuses what does not fit into a block. */
export function preCheckMaxBytes(maxBytes: number): PreCheck {
  return (tx) => {
    const size = txProtoSize(tx)
    return size > maxBytes ? `tx size is too big: ${size}, max: ${maxBytes}` : undefined
  }
}

/** Refuses what wants more gas than a block has; -1 is no limit. */
export function postCheckMaxGas(maxGas: bigint): PostCheck {
  return (_tx, { gasWanted }) => {
    if (maxGas === -1n) return undefined
    if (gasWanted < 0n) return `gas wanted ${gasWanted} is negative`
    return gasWanted > maxGas ? `gas wanted ${gasWanted} is greater than max gas ${maxGas}` : undefined
  }
}
