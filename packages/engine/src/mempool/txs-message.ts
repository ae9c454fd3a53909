import { Cursor } from '@org/types/schema'
import { MEMPOOL_ERRORS, MempoolError } from './errors.ts'

const TXS_TAG = (1 << 3) | 2
const TX_TAG = (1 << 3) | 2

interface Tally {
  count: number
  bytes: number
}

/**
 * Looks over a peer's mempool message before it is decoded: no empty transaction, none over `maxTxBytes`, all together not over
 * the larger of both limits (0 is no limit). Throws a `MempoolError` or `SchemaError`.
 */
export function checkTxsMessage(
  bytes: Uint8Array,
  { maxTxBytes, maxBatchBytes }: { readonly maxTxBytes: number; readonly maxBatchBytes: number },
): void {
  const budget = Math.max(maxTxBytes, maxBatchBytes)
  const tally: Tally = { count: 0, bytes: 0 }
  const checkTx = (length: number): void => {
    if (length === 0) throw refuse('mempool batch contains an empty transaction')
    if (maxTxBytes > 0 && length > maxTxBytes) {
      throw refuse(`transaction size ${length} exceeds max_tx_bytes ${maxTxBytes}`)
    }
    tally.count++
    tally.bytes += length
    if (budget > 0 && tally.bytes > budget) throw refuse(`mempool batch exceeds ${budget} byte budget`)
  }
  for (const txs of views(bytes, TXS_TAG)) for (const tx of views(txs, TX_TAG)) checkTx(tx.length)
  if (tally.count === 0) throw refuse('mempool message contains no transactions')
}

/** The contents of the fields with this tag, one after the other; other fields are stepped over. */
function* views(bytes: Uint8Array, wanted: number): Generator<Uint8Array> {
  const cursor = new Cursor(bytes)
  while (cursor.pos < cursor.end) {
    const tag = cursor.uint32()
    if (tag === wanted) yield cursor.view()
    else cursor.skip(tag)
  }
}

function refuse(message: string): MempoolError {
  return new MempoolError(MEMPOOL_ERRORS.batch, message)
}
