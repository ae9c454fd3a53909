import { bytes, type Infer, message, oneof, repeated, when } from '../schema/index.ts'

/** A message with transactions. */
export const Txs = message('tendermint.mempool.Txs', { txs: repeated(1, bytes) })
export type Txs = Infer<typeof Txs>

/** A message of the mempool channel (0x30). */
export const MempoolMessage = message('tendermint.mempool.Message', {
  sum: oneof({ txs: when(1, Txs) }),
})
export type MempoolMessage = Infer<typeof MempoolMessage>
