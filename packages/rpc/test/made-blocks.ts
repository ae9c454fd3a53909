import { ExecTxResult } from '@org/types/abci'
import type { EventItem } from '../src/index.ts'
import type { MemoryEvents } from './memory-events.ts'

/** The events of a block with `txs` transactions. */
export function madeBlock(height: number, txs: number): EventItem[] {
  return [
    {
      data: { type: 'NewBlockEvents', height, events: [], numTxs: txs },
      events: { 'tm.event': ['NewBlockEvents'] },
    },
    ...Array.from({ length: txs }, (_, index): EventItem => {
      const txResult = { height, index, tx: new Uint8Array([index]), result: ExecTxResult.create({}) }
      return { data: { type: 'Tx', txResult }, events: { 'tm.event': ['Tx'] } }
    }),
  ]
}

/**
 * Publishes the blocks of a chain, beginning at the height `from`. `sizes` has the number of transactions of each
 * block.
 */
export function publishAll(events: MemoryEvents, sizes: readonly number[], from = 0): void {
  for (let i = from; i < sizes.length; i++) events.publishBlock(madeBlock(i + 1, sizes[i] as number))
}

/**
 * Returns the places (`height-index`) of all transactions of a chain. `sizes` has the number of transactions of each
 * block. In each block, the event with index 0 is not a transaction, so the index of the first transaction is 1.
 */
export function txPlaces(sizes: readonly number[]): string[] {
  return sizes.flatMap((txs, i) => Array.from({ length: txs }, (_, index) => `${i + 1}-${index + 1}`))
}
