import type { Counter, Histogram, Metrics } from '@org/runtime'

/** The metrics of the execution of blocks. */
export interface ExecutionMetrics {
  /** The time in which the application executes a block, in milliseconds. */
  readonly blockProcessingTime: Histogram
  readonly consensusParamUpdates: Counter
  readonly validatorSetUpdates: Counter
}

/** Creates the metrics of the execution of blocks. Their names and their help texts are those of the reference. */
export function createExecutionMetrics(metrics: Metrics): ExecutionMetrics {
  return {
    blockProcessingTime: metrics.histogram({
      name: 'state_block_processing_time',
      help: 'Time spent processing FinalizeBlock',
      buckets: [1, 11, 21, 31, 41, 51, 61, 71, 81, 91],
    }),
    consensusParamUpdates: metrics.counter({
      name: 'state_consensus_param_updates',
      help: 'Number of consensus parameter updates returned by the application since process start.',
    }),
    validatorSetUpdates: metrics.counter({
      name: 'state_validator_set_updates',
      help: 'Number of validator set updates returned by the application since process start.',
    }),
  }
}
