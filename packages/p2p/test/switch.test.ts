import { createVirtualClock, isCodedError, noopLogger } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo } from '@org/types/p2p'
import { describe, expect, test } from 'vitest'
import {
  createMemoryHub,
  type MemoryHub,
  type NetAddress,
  nodeIdOf,
  REJECTIONS,
  reject,
  TRANSPORT_ERRORS,
} from '../src/index.ts'
import { CHANNEL, startSwitch } from './test-switch.ts'

const codeOf = (dialling: Promise<void>): Promise<string> =>
  dialling.then(
    () => 'CONNECTED',
    (error: unknown) => (isCodedError(error) ? error.code : String(error)),
  )

/**
 * Returns true if the other side refuses the connection. The other side closes the connection without a reason. So on
 * the dialling side, either the handshake fails, or the peer is removed soon after it was added.
 */
async function isTurnedAway(
  dialler: Awaited<ReturnType<typeof startSwitch>>,
  dialling: Promise<void>,
): Promise<boolean> {
  await dialling.catch(() => undefined)
  await expect.poll(() => dialler.peers.peers().length).toBe(0)
  return true
}

describe('admission', () => {
  test('default: two switches become peers, and each adds the other once', async () => {
    const hub = createMemoryHub()
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1' })
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
    await bob.peers.dial(ann.address)
    await expect.poll(() => ann.first()?.id).toBe(bob.address.id)
    expect(bob.first()).toMatchObject({ id: ann.address.id, outbound: true })
    expect(await codeOf(bob.peers.dial(ann.address))).toBe(REJECTIONS.connected)
    expect(ann.peers.counts()).toEqual({ inbound: 1, outbound: 0, dialling: 0 })
  })

  test('error: an address or an id that the application refuses is refused', async () => {
    const hub = createMemoryHub()
    const asked: string[] = []
    const bobKey = generateEd25519()
    const carol = await startSwitch({ streams: hub.of('10.0.0.3'), ip: '10.0.0.3' })
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2', key: bobKey })
    const ann = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      modules: {
        filterAddress: async (address) => {
          asked.push(address)
          return address.startsWith('10.0.0.3:') ? 'not from there' : undefined
        },
        filterId: async (id) => {
          asked.push(id)
          return id === bob.address.id ? 'not this one' : undefined
        },
      },
    })
    expect(await isTurnedAway(carol, carol.peers.dial(ann.address))).toBe(true)
    expect(await isTurnedAway(bob, bob.peers.dial(ann.address))).toBe(true)
    expect(await codeOf(ann.peers.dial(bob.address))).toBe(REJECTIONS.filtered)
    const dave = await startSwitch({ streams: hub.of('10.0.0.4'), ip: '10.0.0.4' })
    await dave.peers.dial(ann.address)
    await expect.poll(() => ann.peers.peers().map(({ id }) => id)).toEqual([dave.address.id])
    expect(asked).toContain(bob.address.id)
    // The filter of addresses refuses Carol's address, so the filter of ids does not receive Carol's id.
    expect(asked).not.toContain(carol.address.id)
  })

  test('error: a peer is refused if the filter does not answer in time', async () => {
    const hub = createMemoryHub()
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
    const ann = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      options: { filterTimeoutMs: 20 },
      modules: { filterId: () => new Promise(() => undefined) },
    })
    expect(await codeOf(ann.peers.dial(bob.address))).toBe(REJECTIONS.filterTimeout)
  })

  test('error: a second connection of one id is refused, also from another address', async () => {
    const hub = createMemoryHub()
    const key = generateEd25519()
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1' })
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2', key })
    const twin = await startSwitch({ streams: hub.of('10.0.0.3'), ip: '10.0.0.3', key })
    await bob.peers.dial(ann.address)
    await expect.poll(() => ann.first()?.id).toBe(bob.address.id)
    expect(await isTurnedAway(twin, twin.peers.dial(ann.address))).toBe(true)
    expect(ann.events).toEqual([['in', bob.address.id]])
  })

  test('error: a node with another id than the dialled one is refused', async () => {
    const hub = createMemoryHub()
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1' })
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
    const wrong = { ...ann.address, id: 'a'.repeat(40) }
    expect(await codeOf(bob.peers.dial(wrong))).toBe(REJECTIONS.wrongId)
    expect(bob.events).toEqual([])
  })

  test('error: a node whose node info has the id of another node is refused', async () => {
    const hub = createMemoryHub()
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1' })
    const info = DefaultNodeInfo.create({
      protocolVersion: { p2p: 8n, block: 11n, app: 0n },
      defaultNodeId: 'a'.repeat(40),
      listenAddr: 'tcp://10.0.0.2:1',
      network: 'test',
      channels: Uint8Array.of(CHANNEL),
      moniker: 'somebody',
    })
    const liar = await startSwitch({
      streams: hub.of('10.0.0.2'),
      ip: '10.0.0.2',
      modules: { nodeInfo: () => info },
    })
    expect(await codeOf(ann.peers.dial(liar.address))).toBe(REJECTIONS.authentication)
    expect(await isTurnedAway(liar, liar.peers.dial(ann.address))).toBe(true)
    expect(ann.events).toEqual([])
  })

  test('error: only one of two connections of one id that wait for the filter of the application is kept', async () => {
    const hub = createMemoryHub()
    const key = generateEd25519()
    const asked: string[] = []
    const both = Promise.withResolvers<undefined>()
    const ann = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      modules: {
        filterId: (id) => {
          if (asked.push(id) === 2) both.resolve(undefined)
          return both.promise
        },
      },
    })
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2', key })
    const twin = await startSwitch({ streams: hub.of('10.0.0.3'), ip: '10.0.0.3', key })
    await Promise.allSettled([bob.peers.dial(ann.address), twin.peers.dial(ann.address)])
    await expect.poll(() => bob.peers.peers().length + twin.peers.peers().length).toBe(1)
    expect(asked).toHaveLength(2)
    expect(ann.events).toEqual([['in', bob.address.id]])
  })

  describe('silent streams', () => {
    const silent = async (hub: MemoryHub, to: NetAddress, ip: string): Promise<() => boolean> => {
      const stream = await hub.of(ip).dial(to, { timeoutMs: 1000, signal: new AbortController().signal })
      let closed = false
      const close = (): void => {
        closed = true
      }
      stream.handle({ data: () => undefined, drain: () => undefined, close })
      stream.resume()
      return () => closed
    }
    const counted = async (streams: readonly (() => boolean)[]): Promise<number> => {
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
      return streams.filter((isClosed) => !isClosed()).length
    }

    test.each([
      [16, 'where an address may have several peers', true],
      [1, 'where an address may have one peer', false],
    ])(
      'behavior: at most %d silent streams per address are kept %s, and others can connect',
      async (most, _where, allowDuplicateIp) => {
        const hub = createMemoryHub()
        const options = { allowDuplicateIp }
        const ann = await startSwitch({
          streams: hub.of('10.0.0.1'),
          ip: '10.0.0.1',
          clock: createVirtualClock(),
          options,
        })
        const streams: (() => boolean)[] = []
        for (let i = 0; i < 80; i++) streams.push(await silent(hub, ann.address, '10.6.0.1'))
        expect(await counted(streams)).toBe(most)
        const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
        await bob.peers.dial(ann.address)
        await expect.poll(() => ann.first()?.id).toBe(bob.address.id)
      },
    )

    test('behavior: silent streams of many addresses do not keep another node away', async () => {
      const hub = createMemoryHub()
      const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1', clock: createVirtualClock() })
      const streams: (() => boolean)[] = []
      for (let i = 0; i < 80; i++) streams.push(await silent(hub, ann.address, `10.6.0.${i}`))
      const bob = await startSwitch({ streams: hub.of('10.7.0.2'), ip: '10.7.0.2' })
      await bob.peers.dial(ann.address)
      await expect.poll(() => ann.first()?.id).toBe(bob.address.id)
      // Without a free slot, each new stream takes the slot of the oldest one. So the first streams are closed.
      await counted(streams)
      expect(streams.slice(0, 16).every((isClosed) => isClosed())).toBe(true)
    })

    test('behavior: at most 64 silent streams of all addresses together are kept', async () => {
      const hub = createMemoryHub()
      const clock = createVirtualClock()
      const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1', clock })
      const streams: (() => boolean)[] = []
      for (let i = 0; i < 80; i++) streams.push(await silent(hub, ann.address, `10.6.0.${i}`))
      expect(await counted(streams)).toBe(64)
      // After the time limit of a handshake, all these connections are closed.
      clock.advance(20_001)
      expect(await counted(streams)).toBe(0)
    })
  })

  test('error: a connection to the node itself is refused, and its address is reported to the address book', async () => {
    const hub = createMemoryHub()
    const ours: string[] = []
    const keeper = {
      isOurs: ({ ip }: { ip: string }) => void ours.push(ip),
      named: () => undefined,
      good: () => undefined,
    }
    const ann = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      options: { allowDuplicateIp: true },
      modules: { addresses: keeper },
    })
    // Either end may be the first to detect that the node has dialled itself. At the other end, the handshake then
    // fails.
    expect([REJECTIONS.self, REJECTIONS.authentication]).toContain(await codeOf(ann.peers.dial(ann.address)))
    await expect.poll(() => ours).toContain('10.0.0.1')
    expect(ann.peers.peers()).toEqual([])
  })

  test('behavior: a node does not dial its own address, which each home of a testnet contains', async () => {
    const hub = createMemoryHub()
    const named: NetAddress[] = []
    const addresses = {
      isOurs: () => undefined,
      named: (given: readonly NetAddress[]) => void named.push(...given),
      good: () => undefined,
    }
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1', modules: { addresses } })
    ann.peers.dialSoon([ann.address, bob.address])
    expect(named).toEqual([bob.address])
    await expect.poll(() => ann.first()?.id).toBe(bob.address.id)
  })

  test('error: a second node with the same IP address is refused, also during the first handshake', async () => {
    const hub = createMemoryHub()
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1' })
    const [bob, carol] = [
      await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2', listenPort: 1 }),
      await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2', listenPort: 2 }),
    ]
    await Promise.allSettled([bob.peers.dial(ann.address), carol.peers.dial(ann.address)])
    await expect.poll(() => bob.peers.peers().length + carol.peers.peers().length).toBe(1)
    expect(ann.peers.peers()).toHaveLength(1)
    expect(ann.events).toHaveLength(1)
  })

  test('behavior: two nodes with the same IP address are accepted if the options allow it', async () => {
    const hub = createMemoryHub()
    const options = { allowDuplicateIp: true }
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1', options })
    for (const listenPort of [1, 2]) {
      const other = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2', listenPort })
      await other.peers.dial(ann.address)
    }
    await expect.poll(() => ann.peers.peers().length).toBe(2)
  })

  test('error: inbound peers above the limit are refused, except unconditional peers', async () => {
    const hub = createMemoryHub()
    const dave = await startSwitch({ streams: hub.of('10.0.0.4'), ip: '10.0.0.4' })
    const options = { maxInboundPeers: 1, unconditionalPeerIds: [dave.address.id] }
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1', options })
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
    const carol = await startSwitch({ streams: hub.of('10.0.0.3'), ip: '10.0.0.3' })
    await bob.peers.dial(ann.address)
    await expect.poll(() => ann.peers.peers().length).toBe(1)
    expect(await isTurnedAway(carol, carol.peers.dial(ann.address))).toBe(true)
    await dave.peers.dial(ann.address)
    await expect.poll(() => ann.peers.peers().map(({ id }) => id)).toEqual([bob.address.id, dave.address.id])
    expect(ann.peers.counts().inbound).toBe(1)
  })
})

describe('bans', () => {
  test('behavior: a peer without points left is banned, and may return after the ban', async () => {
    const hub = createMemoryHub()
    const clock = createVirtualClock()
    const ann = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      clock,
      receive: () => reject('TEST_NONSENSE', 'nonsense', 50),
      options: { banThreshold: 100, banMs: 600_000 },
    })
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
    const offend = async (): Promise<void> => {
      await bob.peers.dial(ann.address)
      await expect.poll(() => ann.peers.peers().length).toBe(1)
      await bob.first()?.send(CHANNEL, Uint8Array.of(1))
      await expect.poll(() => ann.peers.peers().length).toBe(0)
      await expect.poll(() => bob.peers.peers().length).toBe(0)
    }
    await offend()
    // The first fault has ended only the connection. The second fault leads to a ban.
    await offend()
    expect(await codeOf(ann.peers.dial(bob.address))).toBe(REJECTIONS.banned)
    expect(await isTurnedAway(bob, bob.peers.dial(ann.address))).toBe(true)
    clock.advance(599_000)
    expect(await codeOf(ann.peers.dial(bob.address))).toBe(REJECTIONS.banned)
    clock.advance(1001)
    // Bob refuses a second connection until it has detected the end of the first connection. So the dial is repeated.
    await expect.poll(() => codeOf(ann.peers.dial(bob.address))).toBe('CONNECTED')
    expect(ann.first()?.id).toBe(bob.address.id)
  })
})

describe('persistent peers', () => {
  test('behavior: a persistent peer is dialled again after an error, but not after a deliberate stop', async () => {
    const hub = createMemoryHub()
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
    const messages: string[] = []
    const ann = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      options: { persistentPeers: [bob.address], persistentPeersMaxDialPeriodMs: 1 },
      modules: { logger: { ...noopLogger, info: (message) => void messages.push(message) } },
    })
    const reconnecting = (): number => messages.filter((message) => message === 'Reconnecting to peer').length
    await expect.poll(() => ann.first()?.id, { timeout: 10_000 }).toBe(bob.address.id)
    ann.peers.stopPeer(ann.peers.peers()[0] as never, new Error('a fault'))
    expect(reconnecting()).toBe(1)
    await expect.poll(() => ann.events.length, { timeout: 10_000 }).toBe(3)
    ann.peers.stopPeer(ann.peers.peers()[0] as never, undefined)
    expect(reconnecting()).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    expect(ann.peers.counts()).toEqual({ inbound: 0, outbound: 0, dialling: 0 })
  })

  test('behavior: a persistent peer is dialled again if the first dial fails', async () => {
    const hub = createMemoryHub()
    const key = generateEd25519()
    const ann = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      options: { persistentPeersMaxDialPeriodMs: 1 },
    })
    const there: NetAddress = { id: nodeIdOf(publicKeyOf(key)), ip: '10.0.0.2', port: 1 }
    ann.peers.addPersistentPeers([there])
    expect(await codeOf(ann.peers.dial(there))).toBe(TRANSPORT_ERRORS.dial)
    await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2', key })
    await expect.poll(() => ann.first()?.outbound, { timeout: 10_000 }).toBe(true)
  })

  test('behavior: an inbound peer has the address that it reports', async () => {
    const hub = createMemoryHub()
    const bob = await startSwitch({ streams: hub.of('10.0.0.2'), ip: '10.0.0.2' })
    const options = { persistentPeersMaxDialPeriodMs: 1 }
    const ann = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1', options })
    ann.peers.addPersistentPeers([bob.address])
    await bob.peers.dial(ann.address)
    await expect.poll(() => ann.first()?.persistent).toBe(true)
    expect(ann.first()?.outbound).toBe(false)
    ann.peers.stopPeer(ann.first() as never, new Error('a fault'))
    await expect.poll(() => ann.first()?.outbound, { timeout: 10_000 }).toBe(true)
  })
})
