export {
  type Counter,
  type Gauge,
  type Histogram,
  type MetricDefinition,
  type Metrics,
  noopMetrics,
} from './metrics.ts'
