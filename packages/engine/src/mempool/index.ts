export type { EntryCursor, MempoolEntry } from './entry-list.ts'
export { MEMPOOL_ERRORS, MempoolError, type MempoolErrorCode } from './errors.ts'
export { createFloodMempool, type MempoolModules } from './flood-mempool.ts'
export type {
  BlockTxs,
  Mempool,
  MempoolApp,
  MempoolUpdate,
  TxAvailability,
  TxExchange,
  TxIntake,
  TxOrigin,
  TxRelief,
  TxView,
} from './mempool.ts'
export { createMempoolMetrics, type MempoolMetrics } from './metrics.ts'
export { createNopMempool } from './nop.ts'
export { DEFAULT_MEMPOOL_OPTIONS, type MempoolOptions } from './options.ts'
export { type PostCheck, type PreCheck, postCheckMaxGas, preCheckMaxBytes } from './tx-checks.ts'
export { openTxsMessage, type TxsMessage } from './txs-message.ts'
