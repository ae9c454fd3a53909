import { createSystemClock, createSystemRandom, createVirtualClock, isCodedError } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo, Packet, PexMessage } from '@org/types/p2p'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  ACCEPT,
  type ByteTransport,
  createAddressBook,
  createMemoryHub,
  createPex,
  DEFAULT_MCONN_OPTIONS,
  nodeIdOf,
  PEX_CHANNEL,
  type Peer,
  type StreamFactory,
  type Switch,
} from '../src/index.ts'
import { exchangeNodeInfo } from '../src/nodeinfo/index.ts'
import { ephemeralKeys, type SecretConnection, secure } from '../src/secret/index.ts'
import { CHANNEL, PEX_OPTIONS, startSwitch, type TestSwitch } from './test-switch.ts'

const clock = createSystemClock()
const random = createSystemRandom()

interface RawPeer {
  readonly id: string
  /** The stream that carries the encrypted frames. The test writes raw bytes to it. */
  readonly transport: ByteTransport
  /** The secret connection, which encrypts the bytes that the test sends and puts them into frames. */
  readonly connection: SecretConnection
  readonly isClosed: () => boolean
}

/** Reads a stream and ignores its bytes. Returns a function that returns true when the stream has ended. */
function watch(stream: Pick<ByteTransport, 'handle' | 'resume'>): () => boolean {
  let closed = false
  stream.handle({
    data: () => undefined,
    drain: () => undefined,
    close: () => {
      closed = true
    },
  })
  stream.resume()
  return () => closed
}

/** Makes a peer that passes the handshake. After that, the test can write any bytes to the victim. */
async function rawPeer(
  streams: StreamFactory,
  victim: TestSwitch,
  channels = Uint8Array.of(CHANNEL),
): Promise<RawPeer> {
  const key = generateEd25519()
  const id = nodeIdOf(publicKeyOf(key))
  const options = { timeoutMs: 5000, signal: new AbortController().signal }
  const transport = await streams.dial(victim.address, options)
  const ephemeral = ephemeralKeys(random.bytes(32))
  const connection = await secure(transport, { privateKey: key, ephemeral, timeoutMs: 5000 }, clock)
  const own = DefaultNodeInfo.create({
    protocolVersion: { p2p: 8n, block: 11n, app: 0n },
    defaultNodeId: id,
    listenAddr: 'tcp://10.6.0.1:1',
    network: 'test',
    version: '0.38.25',
    channels,
    moniker: 'hostile',
  })
  await exchangeNodeInfo(connection, own, { timeoutMs: 5000, clock })
  const isClosed = watch(connection)
  onTestFinished(() => transport.close())
  await expect.poll(() => victim.peers.peer(id)?.id).toBe(id)
  return { id, transport, connection, isClosed }
}

const PING = Packet.encodeDelimited({ sum: { case: 'packetPing', value: {} } })
const packet = (channelId: number, data: Uint8Array, eof = true): Uint8Array =>
  Packet.encodeDelimited({ sum: { case: 'packetMsg', value: { channelId, eof, data } } })

async function startListener(hub: ReturnType<typeof createMemoryHub>) {
  let received = 0
  const receive = () => {
    received++
    return ACCEPT
  }
  const victim = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1', receive })
  return { victim, received: () => received }
}

/** Checks that the victim still accepts peers and receives their messages. */
async function goesOn(
  hub: ReturnType<typeof createMemoryHub>,
  victim: TestSwitch,
  received: () => number,
): Promise<void> {
  const honest = await startSwitch({ streams: hub.of('10.8.0.1'), ip: '10.8.0.1' })
  const before = received()
  await honest.peers.dial(victim.address)
  await honest.first()?.send(CHANNEL, Uint8Array.of(1))
  await expect.poll(received).toBeGreaterThan(before)
}

describe('a peer that violates the protocol is dropped', () => {
  const cases: readonly (readonly [string, (peer: RawPeer) => void])[] = [
    ['garbage in place of frames', ({ transport }) => transport.write(random.bytes(5000))],
    ['garbage inside the frames', ({ connection }) => connection.write(new Uint8Array(500).fill(255))],
    ['a message on an unknown channel', ({ connection }) => connection.write(packet(0x55, Uint8Array.of(1)))],
    ['a channel number that does not fit a byte', ({ connection }) => connection.write(packet(300, Uint8Array.of(1)))],
    [
      'a packet whose length is above the limit',
      ({ connection }) => connection.write(Uint8Array.of(255, 255, 255, 255, 15)),
    ],
    ['the peer sent a packet of an unknown kind', ({ connection }) => connection.write(Uint8Array.of(0))],
    [
      'a message that never ends',
      ({ connection }) => {
        for (let i = 0; i < 5; i++) connection.write(packet(CHANNEL, new Uint8Array(900), false))
      },
    ],
  ]

  test.each(cases)('error: a peer is dropped for %s', async (_what, attack) => {
    const hub = createMemoryHub()
    const { victim, received } = await startListener(hub)
    const peer = await rawPeer(hub.of('10.6.0.1'), victim)
    attack(peer)
    await expect.poll(peer.isClosed).toBe(true)
    expect(victim.peers.peer(peer.id)).toBe(undefined)
    await goesOn(hub, victim, received)
  })
})

describe('floods', () => {
  test('behavior: pings are answered once per turn, and messages of other peers are handled between the turns', async () => {
    const hub = createMemoryHub()
    const { victim, received } = await startListener(hub)
    const peer = await rawPeer(hub.of('10.6.0.1'), victim)
    let answered = 0
    peer.connection.handle({
      data: (bytes) => {
        answered += bytes.length
      },
      drain: () => undefined,
      close: () => undefined,
    })
    const before = process.memoryUsage().heapUsed
    const pings = new Uint8Array(PING.length * 300)
    for (let i = 0; i < 300; i++) pings.set(PING, i * PING.length)
    for (let i = 0; i < 300; i++) {
      peer.connection.write(pings)
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await goesOn(hub, victim, received)
    expect(answered).toBeLessThan(90_000)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000)
  })

  test('behavior: the bytes of a peer that sends more than recv_rate are read at recv_rate', async () => {
    const hub = createMemoryHub()
    let bytes = 0
    const victimClock = createVirtualClock()
    const victim = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      clock: victimClock,
      receive: (_peer, _channel, message) => {
        bytes += message.length
        return ACCEPT
      },
      options: { mconn: { ...DEFAULT_MCONN_OPTIONS, receiveRate: 50_000 } },
    })
    const peer = await rawPeer(hub.of('10.6.0.1'), victim)
    for (let i = 0; i < 400; i++) peer.connection.write(packet(CHANNEL, new Uint8Array(900)))
    const settle = async (): Promise<void> => {
      for (let i = 0; i < 2000; i++) await new Promise((resolve) => setImmediate(resolve))
    }
    await settle()
    // The rate limit allows 50,000 bytes at first. The victim checks the limit only after it has handled all packets
    // that a stream has delivered together, so it handles some more bytes.
    expect(bytes).toBeLessThan(200_000)
    const first = bytes
    victimClock.advance(2000)
    await settle()
    expect(bytes).toBeGreaterThan(first)
  })
})

describe('unfinished messages', () => {
  const CAPACITY = 1_000_000
  const HELD = 800_000

  /**
   * Starts a victim that accepts long messages on one channel. On another channel it accepts long messages only from
   * peers in `wanted`. Its memory is enough for three messages of the maximum length.
   */
  async function startVictim(hub: ReturnType<typeof createMemoryHub>) {
    const ends = new Map<string, string>()
    const wanted = new Set<string>()
    const lengths: number[] = []
    const victim = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      options: { maxUnfinishedBytes: 3_500_000, mconn: { ...DEFAULT_MCONN_OPTIONS, receiveRate: 0 } },
      modules: {
        reactors: [
          {
            name: 'long',
            channels: [
              { id: CHANNEL, priority: 1, receiveMessageCapacity: CAPACITY },
              { id: CHANNEL + 1, priority: 1, receiveMessageCapacity: (id) => (wanted.has(id) ? CAPACITY : 1000) },
            ],
            addPeer: () => undefined,
            removePeer: ({ id }, reason) => void ends.set(id, isCodedError(reason) ? reason.code : String(reason)),
            receive: (_peer, _channel, message) => {
              lengths.push(message.length)
              return ACCEPT
            },
          },
        ],
      },
    })
    return { victim, ends, wanted, lengths }
  }

  const begin = ({ connection }: RawPeer, channel: number, length: number): void => {
    for (let sent = 0; sent < length; sent += 1000) connection.write(packet(channel, new Uint8Array(1000), false))
  }
  const connect = (hub: ReturnType<typeof createMemoryHub>, victim: TestSwitch, ip: string): Promise<RawPeer> =>
    rawPeer(hub.of(ip), victim, Uint8Array.of(CHANNEL, CHANNEL + 1))

  test('behavior: above the budget for unfinished messages of all peers the largest peer is dropped, and an honest peer stays', async () => {
    const hub = createMemoryHub()
    const { victim, ends, lengths } = await startVictim(hub)
    const honest = await connect(hub, victim, '10.7.0.1')
    begin(honest, CHANNEL, 100_000)
    const held = (): number => victim.peers.sizes().unfinishedBytes ?? 0
    await expect.poll(held).toBeGreaterThanOrEqual(100_000)
    const attackers: RawPeer[] = []
    for (let i = 1; i <= 6; i++) {
      const attacker = await connect(hub, victim, `10.6.0.${i}`)
      attackers.push(attacker)
      begin(attacker, CHANNEL, HELD)
      await expect.poll(() => held() + ends.size * HELD).toBeGreaterThanOrEqual(i * HELD + 100_000)
      expect(held()).toBeLessThanOrEqual(3_500_000)
    }
    await expect.poll(() => ends.size).toBeGreaterThanOrEqual(3)
    expect(new Set(ends.values())).toEqual(new Set(['MCONN_RECEIVE_BUDGET']))
    expect(ends.has(honest.id)).toBe(false)
    honest.connection.write(packet(CHANNEL, new Uint8Array(1)))
    await expect.poll(() => lengths).toEqual([100_001])
    // The victim still holds unfinished messages of some attackers. It frees their bytes when the connections end.
    expect(held()).toBeGreaterThanOrEqual(HELD)
    for (const { connection } of attackers) connection.close()
    await expect.poll(held).toBe(0)
  })

  test('behavior: a long answer without a request ends the connection before it takes memory', async () => {
    const hub = createMemoryHub()
    const { victim, ends, wanted, lengths } = await startVictim(hub)
    const [asked, other] = [await connect(hub, victim, '10.6.0.1'), await connect(hub, victim, '10.6.0.2')]
    wanted.add(asked.id)
    begin(asked, CHANNEL + 1, 5000)
    asked.connection.write(packet(CHANNEL + 1, new Uint8Array(1)))
    await expect.poll(() => lengths).toEqual([5001])
    begin(other, CHANNEL + 1, 2000)
    await expect.poll(() => ends.get(other.id)).toBe('MCONN_MESSAGE_SIZE')
    expect(ends.has(asked.id)).toBe(false)
  })
})

test('behavior: the keys of a connection are made only when the first message is complete', async () => {
  const hub = createMemoryHub()
  const victim = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1' })
  const transport = await hub
    .of('10.6.0.1')
    .dial(victim.address, { timeoutMs: 1000, signal: new AbortController().signal })
  let received = 0
  transport.handle({
    data: (bytes) => {
      received += bytes.length
    },
    drain: () => undefined,
    close: () => undefined,
  })
  transport.resume()
  const message = Uint8Array.of(34, 10, 32, ...ephemeralKeys(random.bytes(32)).public)
  const turns = async (): Promise<void> => {
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  transport.write(message.subarray(0, 34))
  await turns()
  expect(received).toBe(0)
  transport.write(message.subarray(34))
  // The victim has sent its key (35 bytes) and its first encrypted frame (1,044 bytes).
  await expect.poll(() => received).toBe(35 + 1044)
  transport.close()
})

test('error: a handshake that arrives byte by byte ends at its time limit', async () => {
  const hub = createMemoryHub()
  const victimClock = createVirtualClock()
  const victim = await startSwitch({ streams: hub.of('10.0.0.1'), ip: '10.0.0.1', clock: victimClock })
  const transport = await hub
    .of('10.6.0.1')
    .dial(victim.address, { timeoutMs: 1000, signal: new AbortController().signal })
  const isClosed = watch(transport)
  for (let i = 0; i < 19; i++) {
    transport.write(Uint8Array.of(i === 0 ? 34 : 0))
    await new Promise((resolve) => setImmediate(resolve))
    victimClock.advance(1000)
  }
  expect(isClosed()).toBe(false)
  victimClock.advance(1001)
  await expect.poll(isClosed).toBe(true)
})

describe('address-book poisoning', () => {
  const address = (i: number) => ({
    id: i.toString(16).padStart(40, '0'),
    ip: `9.${i >> 8}.${i & 255}.1`,
    port: 26_656,
  })

  async function startVictim(hub: ReturnType<typeof createMemoryHub>) {
    const book = createAddressBook({ strict: true, privateIds: [] }, random)
    const pex = createPex(PEX_OPTIONS, {
      book,
      clock,
      random,
      save: async () => undefined,
      peers: (): Switch => victim.peers,
    })
    const victim: TestSwitch = await startSwitch({
      streams: hub.of('10.0.0.1'),
      ip: '10.0.0.1',
      modules: { reactors: [pex.reactor, quiet] },
    })
    return { victim, book }
  }
  const quiet = {
    name: 'quiet',
    channels: [{ id: CHANNEL, priority: 1 }],
    addPeer: (_peer: Peer) => undefined,
    removePeer: () => undefined,
    receive: () => ACCEPT,
  }
  const pexPacket = (sum: PexMessage['sum']): Uint8Array => packet(PEX_CHANNEL, PexMessage.encode({ sum }))

  test('error: addresses without a request are not kept, and their sender is banned', async () => {
    const hub = createMemoryHub()
    const { victim, book } = await startVictim(hub)
    const peer = await rawPeer(hub.of('10.6.0.1'), victim, Uint8Array.of(CHANNEL, PEX_CHANNEL))
    const size = book.size()
    peer.connection.write(pexPacket({ case: 'pexAddrs', value: { addrs: [1, 2, 3].map(address) } }))
    await expect.poll(peer.isClosed).toBe(true)
    expect(book.size()).toBeLessThanOrEqual(size)
    expect(book.has(address(1).id)).toBe(false)
  })

  test('error: a peer that requests addresses too often is dropped', async () => {
    const hub = createMemoryHub()
    const { victim } = await startVictim(hub)
    const peer = await rawPeer(hub.of('10.6.0.1'), victim, Uint8Array.of(CHANNEL, PEX_CHANNEL))
    for (let i = 0; i < 3; i++) peer.connection.write(pexPacket({ case: 'pexRequest', value: {} }))
    await expect.poll(peer.isClosed).toBe(true)
  })

  test('behavior: one source fills only a few buckets, so addresses from other sources stay', () => {
    const book = createAddressBook({ strict: true, privateIds: [] }, random)
    const good = Array.from({ length: 50 }, (_, i) => ({
      id: `${i}`.padStart(40, 'a'),
      ip: `${20 + i}.1.1.1`,
      port: 1,
    }))
    for (const one of good) book.add(one, one, 1n)
    const liar = { id: 'f'.repeat(40), ip: '8.8.8.8', port: 1 }
    for (let i = 0; i < 10_000; i++) book.add(address(i), liar, 2n)
    // The addresses from one source can fill at most 32 buckets.
    expect(book.size()).toBeLessThanOrEqual(32 * 64 + good.length)
    expect(good.filter(({ id }) => book.has(id)).length).toBeGreaterThan(good.length / 2)
  })
})
