import { expect, test } from 'vitest'
import { createNetwork } from '../src/index.ts'
import type { SimNode } from '../src/node/index.ts'

const PAIRS = 6
type Flow = 'sent' | 'received'

test('behavior: broken connections are dialled again, each pair has one, and the chain continues', async () => {
  const network = createNetwork({ seed: 5, validators: 4, redialMs: 300 })
  network.start()
  await network.reach(2, 20_000)
  expect(network.hub.connections()).toBe(PAIRS)
  for (let round = 0; round < 5; round++) {
    network.hub.cutAll('n0')
    await network.pass(100)
  }
  expect(network.flaws.get('connection broken')).toBeGreaterThan(3)
  expect(await network.reach(network.height() + 3, 60_000)).toBe(true)
  await network.pass(2000)
  expect(network.hub.connections()).toBe(PAIRS)
  expect(network.monitor.violations()).toEqual([])
})

test('behavior: if two nodes dial each other at once, one connection stays, and neither dials again', async () => {
  const network = createNetwork({ seed: 6, validators: 2, peersPerNode: 0 })
  network.start()
  await network.pass(500)
  expect(network.hub.connections()).toBe(0)
  const [one, two] = network.nodes as readonly [SimNode, SimNode]
  const codes: unknown[] = []
  const dial = (from: SimNode, to: SimNode): void => {
    from
      .p2p()
      ?.peers.dial(to.options.address)
      .catch((error: { readonly code: string }) => void codes.push(error.code))
  }
  dial(one, two)
  dial(two, one)
  await network.pass(1000)
  expect(network.hub.connections()).toBe(1)
  expect(await network.reach(2, 20_000)).toBe(true)
  const before = codes.length
  dial(one, two)
  dial(two, one)
  await network.pass(100)
  expect(codes.slice(before)).toEqual(['REJECTED_CONNECTED', 'REJECTED_CONNECTED'])
})

test('behavior: a node that sends everything twice is not punished, and a lossy connection slows the chain without stopping it', async () => {
  const network = createNetwork({ seed: 7, validators: 4, txEveryMs: 100 })
  for (const { name } of network.nodes) network.hub.linkFaults(name).repeats = 1
  network.hub.linkFaults('n1').loss = 0.05
  network.start()
  expect(await network.reach(8, 120_000)).toBe(true)
  expect(network.flaws.get('message repeated')).toBeGreaterThan(100)
  expect(network.flaws.get('segment lost')).toBeGreaterThan(0)
  expect(network.monitor.violations()).toEqual([])
})

test('default: a peer counts the bytes of its messages in each direction, and the recent bytes of each channel', async () => {
  const bytes = new Map<string, number>()
  const note = (flow: Flow, from: string, to: string, more: number): void => {
    const key = `${flow} ${from}>${to}`
    bytes.set(key, (bytes.get(key) ?? 0) + more)
  }
  const network = createNetwork({
    seed: 8,
    validators: 2,
    watchWire: {
      left: ({ from, to, channelMessage }) => note('sent', from, to, channelMessage.bytes.length),
      taken: ({ from, to, channelMessage }) => note('received', from, to, channelMessage.bytes.length),
      ended: () => undefined,
    },
  })
  network.start()
  expect(await network.reach(4, 20_000)).toBe(true)
  for (const [own, other] of [
    ['n0', 'n1'],
    ['n1', 'n0'],
  ]) {
    const node = network.nodes.find(({ name }) => name === own)
    const status = node?.p2p()?.peers.peers()[0]?.status()
    expect(status?.sent.bytes).toBe(bytes.get(`sent ${own}>${other}`))
    expect(status?.received.bytes).toBe(bytes.get(`received ${other}>${own}`))
    expect(status?.sent.averageRate).toBeGreaterThan(0)
    const recent = status?.channels.reduce((sum, { recentlySent }) => sum + recentlySent, 0) ?? 0
    expect(recent).toBeGreaterThan(0)
    expect(recent).toBeLessThanOrEqual(status?.sent.bytes ?? 0)
  }
})
