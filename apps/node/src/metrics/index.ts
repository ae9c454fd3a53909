export { createPrometheusMetrics, type PrometheusMetrics } from './create-metrics.ts'
export { createMetricsServer } from './serve-metrics.ts'
