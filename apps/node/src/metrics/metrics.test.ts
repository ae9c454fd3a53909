import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { freePort } from '@org/golden'
import { noopLogger } from '@org/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MAX_SERIES } from './bounded-series.ts'
import { createPrometheusMetrics } from './create-metrics.ts'
import { createMetricsServer, limitConnections, MAX_CONNECTIONS, METRICS_TIMEOUTS } from './serve-metrics.ts'

/** Starts a server, which stops when it is disposed of. */
async function serve(
  port: number,
  prometheus: ReturnType<typeof createPrometheusMetrics>,
  times?: Parameters<typeof createMetricsServer>[2],
): Promise<AsyncDisposable> {
  const options = { address: `127.0.0.1:${port}`, maxRequests: 3 }
  const server = createMetricsServer(options, { prometheus, logger: noopLogger }, times)
  await server.start()
  return { [Symbol.asyncDispose]: server.stop }
}

describe('metrics', () => {
  test("default: metrics with the reference's names, and the chain id as label, are served over HTTP", async () => {
    const prometheus = createPrometheusMetrics({ namespace: 'cometbft', chainId: 'chain' })
    const { counter, gauge, histogram } = prometheus.metrics
    gauge({ name: 'consensus_height', help: 'Height.' }).set(7)
    counter({ name: 'mempool_failed_txs', help: 'Failed.' })
    gauge({ name: 'p2p_peers', help: 'Peers.', labels: ['kind'] }).add(2, { kind: 'in' })
    histogram({ name: 'state_block_processing_time', help: 'Time.', buckets: [1, 11] }).observe(5)
    expect(gauge({ name: 'consensus_height', help: 'Height.' })).toBe(gauge({ name: 'consensus_height', help: '' }))

    const port = await freePort()
    await using _server = await serve(port, prometheus)
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(text).toContain('cometbft_consensus_height{chain_id="chain"} 7')
    expect(text).toContain('cometbft_mempool_failed_txs{chain_id="chain"} 0')
    expect(text).toContain('cometbft_p2p_peers{chain_id="chain",kind="in"} 2')
    expect(text).toContain('cometbft_state_block_processing_time_bucket{le="11",chain_id="chain"} 1')
  })

  test('behavior: a metric has a bounded number of series, and the series that change stay', async () => {
    const prometheus = createPrometheusMetrics({ namespace: '', chainId: 'chain' })
    const { counter, gauge, histogram } = prometheus.metrics
    const definition = { name: 'received', help: 'Received.', labels: ['peer_id'] }
    const received = counter(definition)
    const pending = gauge({ ...definition, name: 'pending' })
    const time = histogram({ ...definition, name: 'time', buckets: [1] })
    for (let i = 0; i < MAX_SERIES + 10; i++) {
      for (const peer of ['stays', `peer-${i}`]) {
        received.add(1, { peer_id: peer })
        pending.set(i, { peer_id: peer })
        time.observe(i, { peer_id: peer })
      }
    }
    const text = await prometheus.text()
    expect(text).toContain(`received{chain_id="chain",peer_id="stays"} ${MAX_SERIES + 10}`)
    for (const name of ['received', 'pending', 'time_count']) {
      expect(text.match(new RegExp(`^${name}\\{`, 'gm'))).toHaveLength(MAX_SERIES)
    }
    expect(text).not.toContain('"peer-0"')
  })

  test('default: the headers of a request and the number of connections are bounded', async () => {
    const prometheus = createPrometheusMetrics({ namespace: 'cometbft', chainId: 'chain' })
    const port = await freePort()
    await using _server = await serve(port, prometheus)
    using closing = new DisposableStack()
    const sockets: Socket[] = []
    const large = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-A': 'a'.repeat(16 * 1024) } })
    expect(large.status).toBe(431)
    let closed = 0
    for (let i = 0; i < MAX_CONNECTIONS + 10; i++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.once('close', () => void closed++)
      sockets.push(socket)
      closing.defer(() => void socket.destroy())
    }
    // The server waits for the rest of the request, so the connection stays open.
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\n')
    await expect.poll(() => closed, { timeout: 4000 }).toBeGreaterThanOrEqual(10)
    expect(closed).toBeLessThan(MAX_CONNECTIONS)
  })

  /** Opens a connection that sends nothing, and closes it at the end of the test. */
  async function openSilent(port: number, localAddress: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }

  test('limit: clients that send nothing do not keep other clients out', async () => {
    const prometheus = createPrometheusMetrics({ namespace: 'cometbft', chainId: 'chain' })
    const port = await freePort()
    await using _server = await serve(port, prometheus)
    const reader = await openSilent(port, '127.0.0.2')
    for (let i = 0; i < 2 * MAX_CONNECTIONS; i++) await openSilent(port, '127.0.0.1')
    reader.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(String(await once(reader, 'data'))).toContain('HTTP/1.1 200 OK')
    const late = await openSilent(port, '127.0.0.3')
    late.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(String(await once(late, 'data'))).toContain('HTTP/1.1 200 OK')
  })

  test('limit: silent clients of one IPv6 network do not keep clients of other networks out', () => {
    const server = new EventEmitter()
    limitConnections(server as unknown as Server)
    const closed: string[] = []
    const open = (remoteAddress: string): void => {
      const destroy = (): void => void closed.push(remoteAddress)
      server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, remotePort: 40_000, destroy }))
    }
    open('2001:db8:0:1::1')
    for (let i = 1; i <= 2 * MAX_CONNECTIONS; i++) open(`2001:db8:0:2::${i.toString(16)}`)
    expect(closed).toHaveLength(MAX_CONNECTIONS + 1)
    expect(closed).not.toContain('2001:db8:0:1::1')
  })

  // The server has two time limits for a request. Each test sets one of them, and switches the second one off (0). With
  // both limits set, a test could not show which limit closed the connection.
  test.each([
    ['headersTimeout', { headersTimeout: 200, requestTimeout: 0 }, 'GET / HTTP/1.1\r\n'],
    [
      'requestTimeout',
      { headersTimeout: 0, requestTimeout: 200 },
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx',
    ],
  ])(
    'default: %s closes a client that does not finish its request, and others are answered',
    async (_, times, part) => {
      const prometheus = createPrometheusMetrics({ namespace: 'cometbft', chainId: 'chain' })
      const port = await freePort()
      await using _server = await serve(port, prometheus, { ...times, connectionsCheckingInterval: 50 })
      const answer = new Promise<string>((resolve) => {
        let text = ''
        const socket = connect(port, '127.0.0.1', () => socket.write(part))
        socket.on('error', () => undefined)
        socket.on('data', (bytes) => {
          text += bytes.toString('latin1')
        })
        socket.on('close', () => resolve(text))
      })
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
      expect(await answer).toContain('HTTP/1.1 408 Request Timeout')
    },
  )

  test('default: the time limits are those of LIMITS.md', () => {
    expect(METRICS_TIMEOUTS).toEqual({
      headersTimeout: 5000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 5000,
    })
  })
})
