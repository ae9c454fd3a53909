import { createVirtualClock, type MetricDefinition, type Metrics } from '@org/runtime'
import { expect, test } from 'vitest'
import { ACCEPT, createMemoryHub } from '../src/index.ts'
import { CHANNEL, startSwitch } from './test-switch.ts'

/** Creates metrics that keep the last value of each series. */
function keptMetrics() {
  const values = new Map<string, number>()
  const series =
    ({ name }: MetricDefinition, add: boolean) =>
    (value = 1, labels: Readonly<Record<string, string>> = {}): void => {
      const key = `${name} ${Object.values(labels).join(' ')}`.trim()
      values.set(key, value + (add ? (values.get(key) ?? 0) : 0))
    }
  const metrics: Metrics = {
    counter: (definition) => ({ add: series(definition, true) }),
    gauge: (definition) => ({ set: series(definition, false), add: series(definition, true) }),
    histogram: () => ({ observe: () => undefined }),
  }
  return { metrics, values }
}

test('default: sent and received bytes are counted by peer and channel, and by kind of message', async () => {
  const hub = createMemoryHub()
  const clock = createVirtualClock()
  const [sending, receiving] = [keptMetrics(), keptMetrics()]
  const reactor = (receive: () => void) => ({
    name: 'test',
    channels: [{ id: CHANNEL, priority: 1, sendQueueCapacity: 2 }],
    kinds: [undefined, 'test_First', 'test_Second'],
    addPeer: () => undefined,
    removePeer: () => undefined,
    receive: () => {
      receive()
      return ACCEPT
    },
  })
  let received = 0
  const ann = await startSwitch({
    streams: hub.of('10.0.0.1'),
    ip: '10.0.0.1',
    modules: { metrics: receiving.metrics, reactors: [reactor(() => received++)] },
  })
  const bob = await startSwitch({
    streams: hub.of('10.0.0.2'),
    ip: '10.0.0.2',
    clock,
    modules: { metrics: sending.metrics, reactors: [reactor(() => undefined)] },
  })
  await bob.peers.dial(ann.address)
  const peer = bob.first()
  // The first byte of each message is the tag of a field: field 1 in the first message, and field 2 in the second
  // message.
  await peer?.send(CHANNEL, Uint8Array.of(10, 1, 1))
  await peer?.send(CHANNEL, Uint8Array.of(18, 2, 1, 1))
  await expect.poll(() => received).toBe(2)
  const [to, from] = [ann.address.id, bob.address.id]
  expect(Object.fromEntries(sending.values)).toMatchObject({
    p2p_peers: 1,
    [`p2p_peer_send_bytes_total ${to} 0x77`]: 7,
    'p2p_message_send_bytes_total test_First': 3,
    'p2p_message_send_bytes_total test_Second': 4,
  })
  expect(Object.fromEntries(receiving.values)).toMatchObject({
    p2p_peers: 1,
    [`p2p_peer_receive_bytes_total ${from} 0x77`]: 7,
    'p2p_message_receive_bytes_total test_First': 3,
    'p2p_message_receive_bytes_total test_Second': 4,
  })
  for (let i = 0; i < 3; i++) peer?.trySend(CHANNEL, Uint8Array.of(10, 0))
  clock.advance(10_000)
  expect(sending.values.get(`p2p_peer_pending_send_bytes ${to}`)).toBe(2)
})
