export type Labels = Readonly<Record<string, string>>

export interface MetricDefinition {
  /** The name after the namespace, as the reference's: `consensus_height`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** Histograms only; upper bounds. */
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

/** Makes metrics. Two requests for one name return the same metric. Back ends live in the applications. */
export interface Metrics {
  readonly counter: (definition: MetricDefinition) => Counter
  readonly gauge: (definition: MetricDefinition) => Gauge
  readonly histogram: (definition: MetricDefinition) => Histogram
}

const nothing = (): void => undefined

export const noopMetrics: Metrics = {
  counter: () => ({ add: nothing }),
  gauge: () => ({ set: nothing, add: nothing }),
  histogram: () => ({ observe: nothing }),
}
