export { createPrometheusMetrics } from './create-metrics.ts'
export { createMetricsServer } from './serve-metrics.ts'
