import { noopLogger } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import { createPrometheusMetrics } from './create-metrics.ts'
import { createMetricsServer } from './serve-metrics.ts'

describe('metrics', () => {
  test("default: the reference's names, with the chain as label, over HTTP", async () => {
    const prometheus = createPrometheusMetrics({ namespace: 'cometbft', chainId: 'chain' })
    const { counter, gauge, histogram } = prometheus.metrics
    gauge({ name: 'consensus_height', help: 'Height.' }).set(7)
    counter({ name: 'mempool_failed_txs', help: 'Failed.' })
    gauge({ name: 'p2p_peers', help: 'Peers.', labels: ['kind'] }).add(2, { kind: 'in' })
    histogram({ name: 'state_block_processing_time', help: 'Time.', buckets: [1, 11] }).observe(5)
    expect(gauge({ name: 'consensus_height', help: 'Height.' })).toBe(gauge({ name: 'consensus_height', help: '' }))

    const port = 20_000 + Math.floor(Math.random() * 20_000)
    const server = createMetricsServer(
      { address: `127.0.0.1:${port}`, maxRequests: 3 },
      { prometheus, logger: noopLogger },
    )
    await server.start()
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await server.stop()
    expect(text).toContain('cometbft_consensus_height{chain_id="chain"} 7')
    expect(text).toContain('cometbft_mempool_failed_txs{chain_id="chain"} 0')
    expect(text).toContain('cometbft_p2p_peers{chain_id="chain",kind="in"} 2')
    expect(text).toContain('cometbft_state_block_processing_time_bucket{le="11",chain_id="chain"} 1')
  })
})
