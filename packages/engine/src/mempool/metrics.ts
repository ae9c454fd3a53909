import type { Counter, Gauge, Histogram, Metrics } from '@org/runtime'

export interface MempoolMetrics {
  readonly size: Gauge
  readonly sizeBytes: Gauge
  readonly txSizeBytes: Histogram
  readonly failedTxs: Counter
  readonly rejectedTxs: Counter
  readonly evictedTxs: Counter
  readonly recheckTimes: Counter
  readonly activeOutboundConnections: Gauge
}

export function createMempoolMetrics(metrics: Metrics): MempoolMetrics {
  return {
    size: metrics.gauge({ name: 'mempool_size', help: 'Number of uncommitted transactions in the mempool.' }),
    sizeBytes: metrics.gauge({ name: 'mempool_size_bytes', help: 'Total size of the mempool in bytes.' }),
    txSizeBytes: metrics.histogram({
      name: 'mempool_tx_size_bytes',
      help: 'Histogram of transaction sizes in bytes.',
      buckets: [1, 3, 9, 27, 81, 243, 729],
    }),
    failedTxs: metrics.counter({ name: 'mempool_failed_txs', help: 'Number of transactions found invalid.' }),
    rejectedTxs: metrics.counter({
      name: 'mempool_rejected_txs',
      help: 'Number of transactions refused for want of room.',
    }),
    evictedTxs: metrics.counter({
      name: 'mempool_evicted_txs',
      help: 'Number of transactions that became invalid after they were taken.',
    }),
    recheckTimes: metrics.counter({
      name: 'mempool_recheck_times',
      help: 'Number of times transactions are rechecked in the mempool.',
    }),
    activeOutboundConnections: metrics.gauge({
      name: 'mempool_active_outbound_connections',
      help: 'Number of connections being actively used for gossiping transactions (experimental feature).',
    }),
  }
}
