import type { MetricDefinition, Metrics } from '@org/runtime'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createSeriesBound, MAX_SERIES, type SeriesLabels } from './bounded-series.ts'

export interface MetricsOptions {
  /** The prefix of the name of every metric, such as `cometbft`. */
  readonly namespace: string
  /** The chain id, which is a label of every metric. */
  readonly chainId: string
}

/** Metrics that Prometheus can read. */
export interface PrometheusMetrics {
  readonly metrics: Metrics
  readonly contentType: string
  readonly text: () => Promise<string>
}

export function createPrometheusMetrics({ namespace, chainId }: MetricsOptions): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const made = new Map<string, unknown>()
  const once = <T>(definition: MetricDefinition, make: (name: string) => T): T => {
    const name = namespace === '' ? definition.name : `${namespace}_${definition.name}`
    if (!made.has(name)) made.set(name, make(name))
    return made.get(name) as T
  }
  const configuration = ({ help, labels = [] }: MetricDefinition, name: string) => ({
    name,
    help,
    labelNames: ['chain_id', ...labels],
    registers: [registry],
  })
  const chain = { chain_id: chainId }

  /**
   * Returns a function that adds the chain id to the labels of a recorded value. The function also limits the number of
   * series of the metric.
   */
  function labelled(
    { labels }: MetricDefinition,
    metric: { readonly remove: (labels: SeriesLabels) => void },
  ): (labels: SeriesLabels | undefined) => SeriesLabels {
    if (labels === undefined) return () => chain
    const changed = createSeriesBound(MAX_SERIES, (oldest) => metric.remove(oldest))
    return (given) => {
      const all = { ...chain, ...given }
      changed(all)
      return all
    }
  }

  const metrics: Metrics = {
    counter: (definition) =>
      once(definition, (name) => {
        const counter = new Counter(configuration(definition, name))
        if (definition.labels === undefined) counter.inc(chain, 0)
        const at = labelled(definition, counter)
        return { add: (value = 1, labels) => counter.inc(at(labels), value) }
      }),
    gauge: (definition) =>
      once(definition, (name) => {
        const gauge = new Gauge(configuration(definition, name))
        if (definition.labels === undefined) gauge.set(chain, 0)
        const at = labelled(definition, gauge)
        return {
          set: (value, labels) => gauge.set(at(labels), value),
          add: (value, labels) => gauge.inc(at(labels), value),
        }
      }),
    histogram: (definition) =>
      once(definition, (name) => {
        const { buckets } = definition
        const histogram = new Histogram({
          ...configuration(definition, name),
          ...(buckets === undefined ? {} : { buckets: [...buckets] }),
        })
        const at = labelled(definition, histogram)
        return { observe: (value, labels) => histogram.observe(at(labels), value) }
      }),
  }
  return { metrics, contentType: registry.contentType, text: () => registry.metrics() }
}
