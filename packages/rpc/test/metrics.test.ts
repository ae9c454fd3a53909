import { once } from 'node:events'
import type { MetricDefinition, Metrics } from '@org/runtime'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createRpc } from '../src/index.ts'
import { createDumpPorts } from './dump-ports.ts'
import { madeBlock } from './made-blocks.ts'
import { createMemoryEvents } from './memory-events.ts'

/**
 * Makes metrics, and the function `of`, which returns the sum of a counter or a gauge, or the number of observations of
 * a histogram. Its argument is the name of the metric, followed by the values of its labels.
 */
function createSums() {
  const sums = new Map<string, number>()
  const add = (
    { name }: MetricDefinition,
    labels: Readonly<Record<string, string>> | undefined,
    value: number,
  ): void => {
    const key = [name, ...Object.values(labels ?? {})].join(' ')
    sums.set(key, (sums.get(key) ?? 0) + value)
  }
  const metrics: Metrics = {
    counter: (definition) => ({ add: (value = 1, labels) => add(definition, labels, value) }),
    gauge: (definition) => ({
      set: () => undefined,
      add: (value, labels) => add(definition, labels, value),
    }),
    histogram: (definition) => ({ observe: (_value, labels) => add(definition, labels, 1) }),
  }
  return { metrics, of: (name: string): number => sums.get(name) ?? 0 }
}

test('default: counts calls by operation and in flight, bytes, subscriptions, drops, and calls above the rate limit', async () => {
  const sums = createSums()
  const events = createMemoryEvents()
  const rpc = createRpc({
    ports: { ...createDumpPorts('kvstore-single', { indexing: true }), events },
    options: { laddr: 'tcp://127.0.0.1:0', rateLimit: 1, rateBurst: 6, maxClientBytes: 0 },
    metrics: sums.metrics,
  })
  const listener = await rpc.listen()
  const port = Number(/\d+$/.exec(listener.addresses[0] ?? '')?.[0])
  const url = `http://127.0.0.1:${port}`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'block', params: { height: '5' } })
  const answer = await (await fetch(url, { method: 'POST', body })).text()
  expect([sums.of('rpc_call_duration_seconds block'), sums.of('rpc_calls_in_flight')]).toEqual([1, 0])
  expect([sums.of('rpc_received_bytes_total'), sums.of('rpc_sent_bytes_total')]).toEqual([body.length, answer.length])
  await fetch(`${url}/block?height=5`)
  await fetch(`${url}/block?height=1000`)
  await fetch(`${url}/tx?hash=0x00`)
  expect([sums.of('rpc_call_duration_seconds block'), sums.of('rpc_call_duration_seconds tx')]).toEqual([3, 1])

  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
  await once(socket, 'open')
  const subscribed = once(socket, 'message')
  const query = "tm.event='NewBlockEvents'"
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query } }))
  await subscribed
  expect(sums.of('rpc_subscriptions')).toBe(1)
  const closed = once(socket, 'close')
  // `maxClientBytes` is 0 in this test. The two events are published in one turn of the event loop, so the first event
  // still waits when the second one is published. The waiting bytes then exceed the limit.
  for (let height = 1; height <= 2; height++)
    events.publish({ data: { type: 'NewBlockEvents', height, events: [], numTxs: 0 }, events: {} })
  await closed
  expect([sums.of('rpc_subscriptions'), sums.of('rpc_dropped_subscriptions_total')]).toEqual([0, 1])
  expect(sums.of('rpc_delivered_events_total')).toBe(1)
  await fetch(`${url}/health`)
  await fetch(`${url}/health`)
  expect(sums.of('rpc_rate_limited_total')).toBeGreaterThan(0)
  await listener.stop()
})

test('behavior: a stream of events is whole, and all its bytes are counted', async () => {
  const sums = createSums()
  const events = createMemoryEvents()
  events.publishBlock(madeBlock(1, 1))
  const rpc = createRpc({
    ports: { ...createDumpPorts('kvstore-single', { indexing: true }), events },
    options: { laddr: 'tcp://127.0.0.1:0' },
    metrics: sums.metrics,
  })
  const listener = await rpc.listen()
  const url = `${listener.addresses[0]?.replace('tcp:', 'http:')}/events?query=${encodeURIComponent("tm.event='Tx'")}`
  const headers = { accept: 'text/event-stream' }
  const response = await fetch(`${url}&after=0`, { headers, signal: AbortSignal.timeout(10_000) })
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!/^data: .*\n\n/m.test(text)) text += (await reader.read()).value
  expect(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '')).toMatchObject({ data: { type: 'tendermint/event/Tx' } })
  expect(sums.of('rpc_sent_bytes_total')).toBe(text.length)
  await reader.cancel()
  await listener.stop()
})
