import type { Counter, Gauge, Metrics } from '@org/runtime'

export interface SwitchMetrics {
  readonly peers: Gauge
  readonly receivedBytes: Counter
  readonly sentBytes: Counter
  readonly rejected: Counter
}

/** The reference's names where it has one. */
export function switchMetrics(metrics: Metrics): SwitchMetrics {
  return {
    peers: metrics.gauge({ name: 'p2p_peers', help: 'Number of peers.' }),
    receivedBytes: metrics.counter({
      name: 'p2p_peer_receive_bytes_total',
      help: 'Number of bytes received from a given peer.',
      labels: ['peer_id', 'chID'],
    }),
    sentBytes: metrics.counter({
      name: 'p2p_peer_send_bytes_total',
      help: 'Number of bytes sent to a given peer.',
      labels: ['peer_id', 'chID'],
    }),
    rejected: metrics.counter({
      name: 'p2p_rejected_total',
      help: 'Connections that did not become peers.',
      labels: ['code'],
    }),
  }
}
