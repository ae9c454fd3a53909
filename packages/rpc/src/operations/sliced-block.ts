import type { Block } from '@org/types'
import { bytesToBase64 } from '@org/types/bytes'

/**
 * A block is written in pieces if its transactions have at least this number of bytes. A smaller block is written at
 * once.
 */
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
 * Yields the JSON of a block in pieces. The function `write` returns the JSON text of a whole block. `write` is called
 * with a copy of the block without transactions. The transactions are then inserted into the JSON text of the copy.
 * `empty` is the part of the JSON text with the empty list of transactions, such as `"txs":[]`.
 */
export function* piecesOfBlock(block: Block, empty: string, write: (block: Block) => string): Generator<string> {
  const text = write({ ...block, data: { txs: [] } })
  // The search for `empty` in the JSON text finds the empty list of transactions. A string in the header cannot contain
  // the text `empty`: `empty` has quotes, and quotes in a JSON string are escaped.
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
