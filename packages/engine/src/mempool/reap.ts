import { txProtoSize } from '@org/types/block'
import type { MempoolEntry } from './entry-list.ts'

type Entries = Iterable<Pick<MempoolEntry, 'tx' | 'gasWanted'>>

/** Returns the oldest transactions, at most `maxBytes` and `maxGas` together; -1 is no limit. */
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

/** Returns the oldest transactions: at most `max` and, as in the reference, one more; -1 is no limit. */
export function reapMaxTxs(entries: Entries, max: number): Uint8Array[] {
  const txs: Uint8Array[] = []
  for (const { tx } of entries) {
    if (max >= 0 && txs.length > max) break
    txs.push(tx)
  }
  return txs
}
