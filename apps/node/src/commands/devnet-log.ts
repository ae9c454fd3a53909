import type { EventBus, NewBlock } from '@org/engine/events'
import { parseQuery } from '@org/engine/query'
import { hashTx } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { counted } from '../logging/counted.ts'
import { quotedText } from '../logging/shown-text.ts'
import { shownTx } from '../logging/shown-tx.ts'

/**
 * Returns the result of a transaction as text. The log of an application may contain text from the transaction, and
 * thus from a stranger, so its control characters are escaped.
 */
function resultText({ code = 0, log = '' }: { readonly code?: number; readonly log?: string } = {}): string {
  if (code === 0) return 'ok'
  const reason = log === '' ? '' : ` (${quotedText(log)})`
  return `failed with code ${code}${reason}`
}

/** Returns one line for a block, and one line for each of its transactions with its result. */
function linesOf({ block, resultFinalizeBlock: { txResults } }: NewBlock): string {
  const { height } = block.header
  const txs = block.data.txs
  const lines = txs.map((tx, index) => {
    return `  tx ${bytesToHex(hashTx(tx))} ${resultText(txResults[index])} ${shownTx(tx)}\n`
  })
  return `block ${height}: ${counted(txs.length, 'transaction')}\n${lines.join('')}`
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
