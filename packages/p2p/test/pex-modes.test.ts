import { type Clock, createSystemClock, createSystemRandom, createVirtualClock, type VirtualClock } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo, PexMessage } from '@org/types/p2p'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  ACCEPT,
  type AddressBook,
  createAddressBook,
  createMemoryHub,
  createPex,
  type MemoryHub,
  type NetAddress,
  nodeIdOf,
  PEX_CHANNEL,
  type Peer,
  type Pex,
  type PexOptions,
  type Switch,
  type SwitchOptions,
} from '../src/index.ts'
import { CHANNEL, PEX_OPTIONS, startSwitch, type TestSwitch } from './test-switch.ts'

const random = createSystemRandom()

interface PexNode extends Omit<TestSwitch, 'events'> {
  readonly events: readonly (readonly ['in' | 'out', string])[]
  readonly pex: Pex
  readonly book: AddressBook
}

interface PexNodeOptions {
  readonly ip: string
  readonly options?: Partial<PexOptions>
  readonly switchOptions?: Partial<SwitchOptions>
  readonly clock?: Clock
  readonly addresses?: readonly NetAddress[]
  /** The listen address that the node reports instead of its own address. */
  readonly listenAddr?: string
  readonly resolveHost?: (name: string) => Promise<string>
}

/**
 * Starts a switch with the reactor of peer exchange, which answers peers. Does not start `pex`, so the regular search
 * for more peers does not run.
 */
async function startNode(hub: MemoryHub, given: PexNodeOptions): Promise<PexNode> {
  const { ip, options = {}, clock = createSystemClock(), addresses = [] } = given
  const key = generateEd25519()
  const id = nodeIdOf(publicKeyOf(key))
  const book = createAddressBook({ strict: false, privateIds: [] }, random)
  for (const one of addresses) book.add(one, one, clock.now())
  const pex = createPex(
    { ...PEX_OPTIONS, ...options },
    { book, clock, random, save: async () => undefined, peers: (): Switch => node.peers },
  )
  const events: ['in' | 'out', string][] = []
  const quiet = {
    name: 'quiet',
    channels: [{ id: CHANNEL, priority: 1 }],
    addPeer: (peer: Peer) => void events.push(['in', peer.id]),
    removePeer: (peer: Peer) => void events.push(['out', peer.id]),
    receive: () => ACCEPT,
  }
  const node = await startSwitch({
    streams: hub.of(ip),
    ip,
    key,
    clock,
    options: { dialJitterMs: 1, ...given.switchOptions },
    modules: {
      reactors: [pex.reactor, quiet],
      nodeInfo: () =>
        DefaultNodeInfo.create({
          protocolVersion: { p2p: 8n, block: 11n, app: 0n },
          defaultNodeId: id,
          listenAddr: given.listenAddr ?? `tcp://${ip}:1`,
          network: 'test',
          version: '0.38.25',
          channels: Uint8Array.of(CHANNEL, PEX_CHANNEL),
          moniker: 'test',
        }),
      ...(given.resolveHost === undefined ? {} : { resolveHost: given.resolveHost }),
    },
  })
  onTestFinished(() => pex.stop())
  return { ...node, pex, book, events }
}

const place = (i: number): NetAddress => ({
  id: i.toString(16).padStart(40, '0'),
  ip: `51.${i % 200}.3.${1 + (i % 250)}`,
  port: 26_656,
})
const places = (count: number): readonly NetAddress[] => Array.from({ length: count }, (_, i) => place(i + 1))

async function turns(count = 200): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

async function nextCrawl(clock: VirtualClock): Promise<void> {
  clock.advance(30_000)
  await turns()
}

describe('a seed', () => {
  test('behavior: it sends addresses once to a new peer, and disconnects', async () => {
    const hub = createMemoryHub()
    const clock = createVirtualClock()
    const seed = await startNode(hub, { ip: '10.0.0.1', options: { seedMode: true }, clock, addresses: places(40) })
    const ann = await startNode(hub, { ip: '10.0.0.2' })
    await ann.peers.dial(seed.address)
    // Ann dialled the seed. So Ann immediately requests addresses from the seed.
    await expect.poll(() => ann.book.size()).toBe(32)
    // The seed ignores further requests of the same peer: it sends no answer and does not punish the peer.
    for (let i = 0; i < 3; i++) await ann.first()?.send(PEX_CHANNEL, Uint8Array.of(10, 0))
    await turns()
    expect(seed.peers.peers()).toHaveLength(1)
    // Ann would end the connection if it received an answer without a request.
    expect(ann.peers.peers()).toHaveLength(1)
    clock.advance(100)
    await expect.poll(() => ann.peers.peers().length).toBe(0)
    expect(seed.events).toEqual([
      ['in', ann.address.id],
      ['out', ann.address.id],
    ])
    expect(seed.book.has(ann.address.id)).toBe(true)
    await ann.peers.dial(seed.address)
    await expect.poll(() => ann.peers.peers().length).toBe(1)
  })

  test('behavior: it connects to each known address once in two minutes, requests addresses, and disconnects later', async () => {
    const hub = createMemoryHub()
    const clock = createVirtualClock()
    const ann = await startNode(hub, { ip: '10.0.0.2', addresses: places(20) })
    const options = { seedMode: true, seedDisconnectWaitMs: 50_000 }
    const seed = await startNode(hub, { ip: '10.0.0.1', options, clock, addresses: [ann.address] })
    await seed.pex.start()
    await expect.poll(() => ann.events).toEqual([['in', seed.address.id]])
    // Ann sends the addresses of its book. One of them is the address of the seed, which Ann has added.
    await expect.poll(() => seed.book.has(place(7).id)).toBe(true)
    await nextCrawl(clock)
    expect(seed.peers.peers()).toHaveLength(1)
    await nextCrawl(clock)
    expect(seed.peers.peers()).toEqual([])
    await nextCrawl(clock)
    expect(seed.events).toHaveLength(2)
    await nextCrawl(clock)
    await expect.poll(() => seed.events.at(-1)).toEqual(['in', ann.address.id])
  })

  test('behavior: it answers a peer that it dialled itself as any node does, and stays connected', async () => {
    const hub = createMemoryHub()
    const clock = createVirtualClock()
    let answers = 0
    const bob = await startSwitch({
      streams: hub.of('10.0.0.2'),
      ip: '10.0.0.2',
      channels: [PEX_CHANNEL],
      receive: (_peer, _channel, bytes) => {
        if (PexMessage.decode(bytes).sum?.case === 'pexAddrs') answers++
        return ACCEPT
      },
    })
    const seed = await startNode(hub, { ip: '10.0.0.1', options: { seedMode: true }, clock, addresses: places(3) })
    await seed.peers.dial(bob.address)
    await expect.poll(() => bob.peers.peers().length).toBe(1)
    for (let i = 0; i < 2; i++) await bob.first()?.send(PEX_CHANNEL, Uint8Array.of(10, 0))
    await expect.poll(() => answers).toBe(2)
    clock.advance(100)
    await turns()
    expect(seed.peers.peers()).toHaveLength(1)
  })

  test('behavior: it keeps a persistent peer connected', async () => {
    const hub = createMemoryHub()
    const clock = createVirtualClock()
    const ann = await startNode(hub, { ip: '10.0.0.2' })
    const options = { seedMode: true, seedDisconnectWaitMs: 1000 }
    const seed = await startNode(hub, {
      ip: '10.0.0.1',
      options,
      clock,
      switchOptions: { persistentPeers: [ann.address] },
    })
    clock.advance(1)
    await expect.poll(() => seed.peers.peers().length).toBe(1)
    await seed.pex.start()
    for (let i = 0; i < 3; i++) await nextCrawl(clock)
    expect(seed.events).toEqual([['in', ann.address.id]])
  })
})

describe('a node that lacks peers', () => {
  test('behavior: it tries the other seeds if one seed does not answer', async () => {
    const hub = createMemoryHub()
    const seed = await startNode(hub, { ip: '10.0.0.1', addresses: places(5) })
    const seeds = [place(1), place(2), seed.address]
    const ann = await startNode(hub, { ip: '10.0.0.2', options: { seeds } })
    await ann.pex.start()
    await expect.poll(() => ann.first()?.id).toBe(seed.address.id)
    await expect.poll(() => ann.book.size()).toBeGreaterThan(0)
  })

  test('behavior: an address at which another node answers is removed, and its id may be added with another address', async () => {
    const hub = createMemoryHub()
    const attacker = await startNode(hub, { ip: '10.0.0.1' })
    const honest = await startNode(hub, { ip: '10.0.0.3' })
    const wrong = { ...attacker.address, id: honest.address.id }
    const ann = await startNode(hub, { ip: '10.0.0.2', addresses: [wrong] })
    await ann.pex.start()
    await expect.poll(() => ann.book.has(wrong.id)).toBe(false)
    expect(ann.book.isBanned(wrong.id)).toBe(false)
    const now = createSystemClock().now()
    expect(ann.book.add(wrong, attacker.address, now)).toEqual({ type: 'refused', reason: 'banned' })
    expect(ann.book.add(honest.address, attacker.address, now)).toEqual({ type: 'added' })
  })

  test('behavior: an honest node is dialled even if peers sent false ids for its address', async () => {
    const hub = createMemoryHub()
    const honest = await startNode(hub, { ip: '10.0.0.1' })
    const wrong = Array.from({ length: 5 }, (_, i) => ({ ...honest.address, id: place(i + 1).id }))
    const clock = createVirtualClock()
    const ann = await startNode(hub, { ip: '10.0.0.2', clock, addresses: wrong })
    await ann.pex.start()
    const nextRound = async (): Promise<void> => {
      clock.advance(30_000)
      await turns()
    }
    for (let round = 0; round < 10 && ann.book.size() > 0; round++) await nextRound()
    expect(ann.book.size()).toBe(0)
    ann.book.add(honest.address, honest.address, clock.now())
    await nextRound()
    await expect.poll(() => ann.first()?.id).toBe(honest.address.id)
  })

  const closesAtOnce = async (hub: MemoryHub): Promise<NetAddress> => {
    const listener = await hub.of('10.0.0.1').listen({ host: '10.0.0.1', port: 1 }, (transport) => transport.close())
    onTestFinished(() => listener.close())
    return { ...place(1), ip: '10.0.0.1', port: 1 }
  }
  const neverAnswers = async (hub: MemoryHub): Promise<NetAddress> => {
    const listener = await hub.of('10.0.0.1').listen({ host: '10.0.0.1', port: 1 }, () => undefined)
    onTestFinished(() => listener.close())
    return { ...place(1), ip: '10.0.0.1', port: 1 }
  }
  const isFull = async (hub: MemoryHub): Promise<NetAddress> =>
    (await startNode(hub, { ip: '10.0.0.1', switchOptions: { maxInboundPeers: 0 } })).address

  test.each<readonly [string, (hub: MemoryHub) => Promise<NetAddress>]>([
    ['closes at once', closesAtOnce],
    ['never answers', neverAnswers],
    ['is full', isFull],
    ['does not listen', async () => place(1)],
  ])('behavior: a node that %s is counted as tried, and tried again later', async (_what, start) => {
    const hub = createMemoryHub()
    const address = await start(hub)
    const clock = createVirtualClock()
    const ann = await startNode(hub, { ip: '10.0.0.2', clock, addresses: [address] })
    await ann.pex.start()
    const attempts = () => ann.book.contents().addresses.find((known) => known.address.id === address.id)?.attempts
    for (const wanted of [1, 2]) {
      await expect
        .poll(() => {
          clock.advance(15_000)
          return attempts()
        })
        .toBe(wanted)
    }
    expect(ann.book.isBanned(address.id)).toBe(false)
  })
})

describe('addresses from a peer', () => {
  const pexAddrs = (addrs: readonly NetAddress[]): Uint8Array =>
    PexMessage.encode({ sum: { case: 'pexAddrs', value: { addrs: [...addrs] } } })

  test.each<readonly [string, NetAddress]>([
    ['a text', { ...place(1), ip: 'nonsense' }],
    ['an address with a zone', { ...place(1), ip: 'fe80::1%eth0' }],
    ['a port out of range', { ...place(1), port: 65_536 }],
  ])('error: with %s for an address the peer is disconnected and leaves the book', async (_what, bad) => {
    const hub = createMemoryHub()
    const liar = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      channels: [PEX_CHANNEL],
      receive: (peer) => {
        peer.trySend(PEX_CHANNEL, pexAddrs([place(2), bad]))
        return ACCEPT
      },
    })
    const ann = await startNode(hub, { ip: '10.0.0.2', addresses: [liar.address] })
    await ann.peers.dial(liar.address)
    await expect.poll(() => ann.events.at(-1)).toEqual(['out', liar.address.id])
    expect(ann.book.isBanned(liar.address.id)).toBe(true)
    expect(ann.book.has(place(2).id)).toBe(false)
  })

  test('behavior: the first 250 addresses of a longer answer are accepted', async () => {
    const hub = createMemoryHub()
    const generous = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      channels: [PEX_CHANNEL],
      receive: (peer) => {
        peer.trySend(PEX_CHANNEL, pexAddrs(places(400)))
        return ACCEPT
      },
    })
    const ann = await startNode(hub, { ip: '10.0.0.2' })
    await ann.peers.dial(generous.address)
    await expect.poll(() => ann.book.size()).toBeGreaterThan(0)
    const known = [place(1), place(250), place(251), place(400)].map(({ id }) => ann.book.has(id))
    expect(known).toEqual([true, true, false, false])
  })

  test('behavior: the source of an address is the address of the connection, not the reported one', async () => {
    const hub = createMemoryHub()
    const clock = createSystemClock()
    const liar = await startNode(hub, { ip: '10.0.0.1', listenAddr: '51.7.7.7:1', addresses: places(3) })
    const ann = await startNode(hub, { ip: '10.0.0.2', clock })
    const sourceOf = (id: string) => ann.book.contents().addresses.find(({ address }) => address.id === id)?.source.ip
    await ann.peers.dial(liar.address)
    await expect.poll(() => sourceOf(place(2).id)).toBe('10.0.0.1')
    const inbound = await startNode(hub, { ip: '10.0.0.3', listenAddr: '51.8.8.8:1' })
    await inbound.peers.dial(ann.address)
    await expect.poll(() => sourceOf(inbound.address.id)).toBe('10.0.0.3')
  })

  test('behavior: addresses from a seed are dialled at once', async () => {
    const hub = createMemoryHub()
    const bob = await startNode(hub, { ip: '10.0.0.3' })
    const seed = await startNode(hub, { ip: '10.0.0.1', addresses: [bob.address] })
    const clock = createVirtualClock()
    const ann = await startNode(hub, { ip: '10.0.0.2', clock, options: { seeds: [seed.address] } })
    await ann.pex.start()
    await expect.poll(() => ann.events.map(([, id]) => id)).toEqual([seed.address.id, bob.address.id])
  })
})

describe('a peer that reports a host name as its address', () => {
  test('behavior: it has the address of the host, so it is persistent and in the book', async () => {
    const hub = createMemoryHub()
    const asked: string[] = []
    const resolveHost = async (name: string): Promise<string> => {
      asked.push(name)
      return '10.0.0.2'
    }
    const bob = await startNode(hub, { ip: '10.0.0.2', listenAddr: 'bob.example:1' })
    const ann = await startNode(hub, { ip: '10.0.0.1', resolveHost })
    ann.peers.addPersistentPeers([bob.address])
    await bob.peers.dial(ann.address)
    await expect.poll(() => ann.first()?.persistent).toBe(true)
    expect(asked).toEqual(['bob.example'])
    expect(ann.book.has(bob.address.id)).toBe(true)
  })

  test('behavior: it stays a peer if the host is not found, and may send addresses', async () => {
    const hub = createMemoryHub()
    const resolveHost = (): Promise<string> => Promise.reject(new Error('no such host'))
    const bob = await startNode(hub, { ip: '10.0.0.2', listenAddr: 'bob.invalid:1', addresses: places(5) })
    const ann = await startNode(hub, { ip: '10.0.0.1', resolveHost })
    await ann.peers.dial(bob.address)
    await expect.poll(() => ann.book.has(place(3).id)).toBe(true)
    expect(ann.first()?.id).toBe(bob.address.id)
  })

  test('behavior: other peers do not wait for its name server', async () => {
    const hub = createMemoryHub()
    const clock = createVirtualClock()
    const bob = await startNode(hub, { ip: '10.0.0.2', listenAddr: 'bob.slow:1' })
    const ann = await startNode(hub, { ip: '10.0.0.1', clock, resolveHost: () => new Promise(() => undefined) })
    await bob.peers.dial(ann.address)
    expect(ann.peers.peers()).toEqual([])
    await expect
      .poll(() => {
        clock.advance(500)
        return ann.first()?.id
      })
      .toBe(bob.address.id)
  })
})
