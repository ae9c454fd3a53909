import { txProtoSize } from '@org/types'
import type { MempoolEntry } from './entry-list.ts'

type Entries = Iterable<Pick<MempoolEntry, 'tx' | 'gasWanted'>>

/**
 * Returns the oldest transactions that together have at most `maxBytes` bytes and want at most `maxGas` gas; -1 means
 * no limit.
 */
export function reapMaxBytesMaxGas(entries: Entries, maxBytes: number, maxGas: bigint): Uint8Array[] {
  const txs: Uint8Array[] = []
  let bytes = 0
  let gas = 0n
  for (const { tx, gasWanted } of entries) {
    bytes += txProtoSize(tx)
    gas += gasWanted
    if ((maxBytes > -1 && bytes > maxBytes) || (maxGas > -1n && gas > maxGas)) break
    txs.push(tx)
  }
  return txs
}

/** Returns the `max + 1` oldest transactions, as the reference does; all if `max` is negative. */
export function reapMaxTxs(entries: Entries, max: number): Uint8Array[] {
  const txs: Uint8Array[] = []
  for (const { tx } of entries) {
    if (max >= 0 && txs.length > max) break
    txs.push(tx)
  }
  return txs
}
