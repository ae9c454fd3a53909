import type { Block } from '@org/types'
import { bytesToBase64 } from '@org/types/bytes'

/** The number of bytes of transactions from which a block is written in pieces. A smaller block is written at once. */
const SLICED_FROM_BYTES = 64 * 1024
/** The transactions of a block are written in groups. A group is complete when it has this number of bytes. */
const GROUP_BYTES = 32 * 1024

export function isLargeBlock({ data: { txs } }: Block): boolean {
  let bytes = 0
  for (const tx of txs) {
    bytes += tx.length
    if (bytes >= SLICED_FROM_BYTES) return true
  }
  return false
}

/**
 * Yields the JSON of a block in pieces. `write` returns the JSON of a whole block. It is called for a copy of the block
 * without transactions, and the transactions are then inserted into the text that it returns. `empty` is the part of
 * this text that has the empty list, such as `"txs":[]`.
 */
export function* piecesOfBlock(block: Block, empty: string, write: (block: Block) => string): Generator<string> {
  const text = write({ ...block, data: { txs: [] } })
  // `empty` is found only at the list of transactions, not inside a string of the header: `empty` has quotes, and in a
  // JSON string quotes are escaped.
  const at = text.indexOf(empty) + empty.length - ']'.length
  yield text.slice(0, at)
  let group = ''
  let bytes = 0
  let before = '"'
  for (const tx of block.data.txs) {
    group += `${before}${bytesToBase64(tx)}"`
    before = ',"'
    bytes += tx.length
    if (bytes < GROUP_BYTES) continue
    yield group
    group = ''
    bytes = 0
  }
  yield group
  yield text.slice(at)
}
