import type { Metrics } from '@org/runtime'
import type { Block } from '@org/types'

export interface BlockSyncMetrics {
  readonly syncing: (is: boolean) => void
  readonly applied: (block: Block, size: number) => void
}

/** Creates the metrics of block sync, which have the names of the reference. */
export function createBlockSyncMetrics(metrics: Metrics): BlockSyncMetrics {
  const gauge = (name: string, help: string) => metrics.gauge({ name: `blocksync_${name}`, help })
  const syncing = gauge('syncing', 'Whether or not a node is block syncing. 1 if yes, 0 if no.')
  const numTxs = gauge('num_txs', 'Number of transactions in the latest block.')
  const totalTxs = gauge('total_txs', 'Total number of transactions.')
  const size = gauge('block_size_bytes', 'Size of the latest block.')
  const latest = gauge('latest_block_height', 'The height of the latest block.')
  return {
    syncing: (is) => syncing.set(is ? 1 : 0),
    applied: ({ header, data }, bytes) => {
      numTxs.set(data.txs.length)
      totalTxs.add(data.txs.length)
      size.set(bytes)
      latest.set(header.height)
    },
  }
}
