export type Labels = Readonly<Record<string, string>>

export interface MetricDefinition {
  /** The name of the metric without its namespace, in the form of the reference's names: `consensus_height`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** The upper bounds of the buckets of a histogram. Other metrics have none. */
  readonly buckets?: readonly number[]
}

export interface Counter {
  readonly add: (value?: number, labels?: Labels) => void
}
export interface Gauge {
  readonly set: (value: number, labels?: Labels) => void
  readonly add: (value: number, labels?: Labels) => void
}
export interface Histogram {
  readonly observe: (value: number, labels?: Labels) => void
}

/**
 * Makes metrics. Two requests for one name return the same metric. The program in `apps/node` implements this
 * interface.
 */
export interface Metrics {
  readonly counter: (definition: MetricDefinition) => Counter
  readonly gauge: (definition: MetricDefinition) => Gauge
  readonly histogram: (definition: MetricDefinition) => Histogram
}

const nothing = (): void => undefined

/** Metrics that discard everything. */
export const noopMetrics: Metrics = {
  counter: () => ({ add: nothing }),
  gauge: () => ({ set: nothing, add: nothing }),
  histogram: () => ({ observe: nothing }),
}
