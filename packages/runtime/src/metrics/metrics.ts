export type Labels = Readonly<Record<string, string>>

/** The description of a metric. {@link Metrics} makes the metric from its description. */
export interface MetricDefinition {
  /** The name of the metric without its namespace, in the form of the reference's names: `consensus_height`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** The upper bounds of the buckets of a histogram. Other metrics have none. */
  readonly buckets?: readonly number[]
}

/** A metric that only grows: `add` adds `value`, 1 by default. */
export interface Counter {
  readonly add: (value?: number, labels?: Labels) => void
}

/** A metric that rises and falls: `set` replaces its value, `add` changes it. */
export interface Gauge {
  readonly set: (value: number, labels?: Labels) => void
  readonly add: (value: number, labels?: Labels) => void
}

/** A metric that counts values by their size: `observe` puts one value into its bucket. */
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
