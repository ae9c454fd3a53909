import type { Counter, Gauge, Histogram, MetricDefinition, Metrics } from '@org/runtime'

/**
 * Metrics that can be used before the chain id is known. Each metric has the chain id as a label, so the real metrics
 * are made only when the chain id is known. `become` receives the real metrics. Values that are recorded before this
 * call are lost.
 */
export interface LateMetrics {
  readonly metrics: Metrics
  readonly become: (metrics: Metrics) => void
}

export function createLateMetrics(): LateMetrics {
  let real: Metrics | undefined
  const whenReal = <T>(make: (from: Metrics) => T): (() => T | undefined) => {
    let made: T | undefined
    return () => {
      if (made === undefined && real !== undefined) made = make(real)
      return made
    }
  }
  const metrics: Metrics = {
    counter: (definition: MetricDefinition): Counter => {
      const counter = whenReal((from) => from.counter(definition))
      return { add: (value, labels) => counter()?.add(value, labels) }
    },
    gauge: (definition: MetricDefinition): Gauge => {
      const gauge = whenReal((from) => from.gauge(definition))
      return {
        set: (value, labels) => gauge()?.set(value, labels),
        add: (value, labels) => gauge()?.add(value, labels),
      }
    },
    histogram: (definition: MetricDefinition): Histogram => {
      const histogram = whenReal((from) => from.histogram(definition))
      return { observe: (value, labels) => histogram()?.observe(value, labels) }
    },
  }
  return {
    metrics,
    become: (given) => {
      real = given
    },
  }
}
