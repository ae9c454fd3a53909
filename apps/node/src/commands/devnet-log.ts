import type { EventBus, NewBlock } from '@org/engine/events'
import { parseQuery } from '@org/engine/query'
import { hashTx } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { shownTx } from '../logging/shown-tx.ts'

/** Returns one line for a block, and one line for each of its transactions with its result. */
function linesOf({ block, resultFinalizeBlock: { txResults } }: NewBlock): string {
  const { height } = block.header
  const txs = block.data.txs
  const lines = txs.map((tx, index) => {
    const { code = 0, log = '' } = txResults[index] ?? {}
    const result =
      code === 0 ? 'ok' : `failed with code ${code}${log === '' ? '' : ` (${JSON.stringify(log.slice(0, 200))})`}`
    return `  tx ${bytesToHex(hashTx(tx))} ${result} ${shownTx(tx)}\n`
  })
  return `block ${height}: ${txs.length} transaction${txs.length === 1 ? '' : 's'}\n${lines.join('')}`
}

/** Prints each block and its transactions as they are committed. */
export function writeBlocks(events: EventBus, out: (text: string) => void): void {
  events.subscribe({
    subscriber: 'devnet',
    query: parseQuery("tm.event = 'NewBlock'"),
    onItem: ({ data }) => {
      if (data.type === 'NewBlock') out(linesOf(data))
    },
  })
}
