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
    failedTxs: metrics.counter({
      name: 'mempool_failed_txs',
      help: 'FailedTxs defines the number of failed transactions. These are transactions that failed to make it into the mempool because they were deemed invalid. metrics:Number of failed transactions.',
    }),
    rejectedTxs: metrics.counter({
      name: 'mempool_rejected_txs',
      help: 'RejectedTxs defines the number of rejected transactions. These are transactions that failed to make it into the mempool due to resource limits, e.g. mempool is full. metrics:Number of rejected transactions.',
    }),
    evictedTxs: metrics.counter({
      name: 'mempool_evicted_txs',
      help: 'EvictedTxs defines the number of evicted transactions. These are valid transactions that passed CheckTx and make it into the mempool but later became invalid. metrics:Number of evicted transactions.',
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
