import { createVirtualClock } from '@org/runtime'
import { Packet } from '@org/types/p2p'
import { expect, test } from 'vitest'
import { type ByteTransport, memoryTransportPair, type TransportHandlers } from '../transport/index.ts'
import {
  createMultiplexer,
  createReadTurns,
  DEFAULT_MCONN_OPTIONS,
  MCONN_ERRORS,
  type MconnOptions,
  type Multiplexer,
} from './index.ts'

interface Side {
  readonly multiplexer: Multiplexer
  readonly received: [number, Uint8Array][]
  readonly ended: Promise<Error | undefined>
}

function createPair(options: Partial<MconnOptions> = {}, hold?: () => Promise<void>) {
  const clock = createVirtualClock()
  const transports = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const all: MconnOptions = {
    ...DEFAULT_MCONN_OPTIONS,
    channels: [
      { id: 1, priority: 1, sendQueueCapacity: 4, receiveMessageCapacity: 200_000 },
      { id: 2, priority: 5, sendQueueCapacity: 4 },
    ],
    ...options,
  }
  const side = (index: 0 | 1): Side => {
    const received: [number, Uint8Array][] = []
    const { promise: ended, resolve } = Promise.withResolvers<Error | undefined>()
    const multiplexer = createMultiplexer(all, {
      transport: transports[index],
      clock,
      onMessage: (channel, message) => {
        received.push([channel, message.slice()])
        return hold?.()
      },
      onEnd: resolve,
    })
    return { multiplexer, received, ended }
  }
  const sides = [side(0), side(1)] as const
  for (const { multiplexer } of sides) multiplexer.start()
  return { clock, transports, a: sides[0], b: sides[1] }
}

const turns = async (count = 20): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

test('default: messages of any length arrive whole and in order, channel by channel', async () => {
  const { a, b } = createPair()
  const messages = [0, 1, 1023, 1024, 1025, 100_000].map((length) => new Uint8Array(length).fill(length % 251))
  for (const message of messages) expect(await a.multiplexer.send(1, message)).toBe(true)
  expect(await b.multiplexer.send(2, Uint8Array.of(7))).toBe(true)
  await turns()
  expect(b.received).toEqual(messages.map((message) => [1, message]))
  expect(a.received).toEqual([[2, Uint8Array.of(7)]])
})

test('behavior: with a rate of 0 there is no limit', async () => {
  const { a, b } = createPair({ sendRate: 0, receiveRate: 0 })
  for (let i = 0; i < 2; i++) expect(await a.multiplexer.send(1, new Uint8Array(100_000))).toBe(true)
  await turns()
  expect(b.received.map(([, { length }]) => length)).toEqual([100_000, 100_000])
})

test('behavior: a full queue refuses a message, and accepts a message again after it has sent one', async () => {
  const { a } = createPair()
  const accepted = Array.from({ length: 6 }, () => a.multiplexer.trySend(1, new Uint8Array(10)))
  expect(accepted).toEqual([true, true, true, true, false, false])
  expect(await a.multiplexer.send(1, new Uint8Array(10))).toBe(true)
})

test("behavior: reading pauses while a message is handled, and the sender's queue becomes full", async () => {
  const { a, b } = createPair({ sendRate: 0, receiveRate: 0 }, () => new Promise(() => undefined))
  let accepted = 0
  for (let i = 0; i < 100; i++) {
    if (a.multiplexer.trySend(1, new Uint8Array(100_000))) accepted++
    await turns(5)
  }
  expect(b.received).toHaveLength(1)
  // The stream and the send queue together have room for fewer than 25 messages.
  expect(accepted).toBeLessThan(25)
})

test('behavior: send waits for room in the queue, but not longer than its time limit', async () => {
  const { clock, a } = createPair({ sendTimeoutMs: 10_000, sendRate: 2000 })
  const sent: boolean[] = []
  // Each message is longer than the bytes that the rate permits in one second, so the queue stops until the clock
  // advances.
  for (let i = 0; i < 9; i++) void a.multiplexer.send(1, new Uint8Array(50_000)).then((done) => sent.push(done))
  await turns()
  const before = sent.length
  clock.advance(9999)
  await turns()
  expect(sent.every((done) => done)).toBe(true)
  clock.advance(2)
  await turns()
  expect(before).toBeGreaterThan(4)
  expect(sent.filter((done) => !done).length).toBe(9 - before)
  expect(before).toBeLessThan(9)
})

test('behavior: sends at most send_rate bytes per second', async () => {
  const { clock, a, b } = createPair({ sendRate: 100_000 })
  let sending = true
  const feed = async (): Promise<void> => {
    while (sending) await a.multiplexer.send(1, new Uint8Array(20_000))
  }
  const fed = feed()
  const bytes = (): number => b.received.reduce((sum, [, message]) => sum + message.length, 0)
  await turns(100)
  // Before the clock advances, the token bucket lets only the bytes of one second through. The last write may add up to
  // 64 KiB to these bytes.
  const first = bytes()
  expect(first).toBeLessThanOrEqual(100_000 + 64 * 1024)
  for (let i = 0; i < 30; i++) {
    clock.advance(100)
    await turns()
  }
  expect(bytes() - first).toBeGreaterThan(250_000)
  expect(bytes() - first).toBeLessThanOrEqual(300_000 + 64 * 1024)
  sending = false
  a.multiplexer.stop()
  await fed
})

test('behavior: channels share the bandwidth by their priorities, and old messages do not count', async () => {
  const { clock, a, b } = createPair({ sendRate: 300_000 })
  const channels = [1, 2] as const
  let sending = true
  const feed = async (channel: number): Promise<void> => {
    while (sending) await a.multiplexer.send(channel, new Uint8Array(30_000))
  }
  const share = (from: number): readonly number[] =>
    channels.map((channel) => b.received.slice(from).filter(([id]) => id === channel).length)
  // At first only channel 2 sends. Its priority is five times the priority of the other channel.
  const fed = [feed(2)]
  const pass = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds * 2; i++) {
      clock.advance(500)
      await turns(10)
    }
  }
  await pass(30)
  expect(share(0)[0]).toBe(0)
  const start = b.received.length
  fed.push(feed(1))
  await pass(30)
  const [low = 0, high = 0] = share(start)
  expect(high / low).toBeGreaterThan(2.7)
  expect(high / low).toBeLessThan(6)
  sending = false
  a.multiplexer.stop()
  await Promise.all(fed)
})

test('behavior: reading pauses while a message is being handled', async () => {
  const gates: (() => void)[] = []
  const { a, b } = createPair({}, () => new Promise((resolve) => gates.push(resolve)))
  for (let i = 0; i < 3; i++) await a.multiplexer.send(1, Uint8Array.of(i))
  await turns()
  expect(b.received.length).toBe(1)
  gates[0]?.()
  await turns()
  expect(b.received.length).toBe(2)
})

test('behavior: a ping is answered, and the connection ends if a ping gets no answer', async () => {
  const { clock, a, b, transports } = createPair()
  clock.advance(60_000)
  await turns()
  clock.advance(50_000)
  expect(a.multiplexer.trySend(1, Uint8Array.of(1))).toBe(true)
  await turns()
  expect(b.received.length).toBe(1)
  transports[1].pause()
  clock.advance(10_000)
  await turns()
  clock.advance(45_000)
  expect(await a.ended).toMatchObject({ code: 'MCONN_PONG_TIMEOUT' })
})

test('error: a message over the limit ends the connection', async () => {
  const { a, b } = createPair()
  await a.multiplexer.send(1, new Uint8Array(200_001))
  expect(await b.ended).toMatchObject({ code: 'MCONN_MESSAGE_SIZE' })
  expect(await a.ended).toMatchObject({ code: 'MCONN_CLOSED' })
})

test.each([
  ['garbage', Uint8Array.of(3, 0xff, 0xff, 0xff), 'MCONN_PACKET'],
  ['a packet that claims too many bytes', Uint8Array.of(0xff, 0xff, 0xff, 0x7f), 'MCONN_PACKET_SIZE'],
  ['an unknown channel', Uint8Array.of(6, 0x1a, 4, 8, 9, 16, 1), 'MCONN_UNKNOWN_CHANNEL'],
  ['the peer sent a packet of an unknown kind', Uint8Array.of(0), 'MCONN_PACKET'],
])('error: %s ends the connection', async (_name, bytes, code) => {
  const { a, b, transports } = createPair()
  transports[0].write(bytes)
  expect(await b.ended).toMatchObject({ code })
  expect(await a.ended).toMatchObject({ code: 'MCONN_CLOSED' })
})

test('behavior: a stopped connection refuses messages and reports no error', async () => {
  const { a } = createPair()
  a.multiplexer.stop()
  expect(await a.ended).toBe(undefined)
  expect(await a.multiplexer.send(1, Uint8Array.of(1))).toBe(false)
})

/** Returns the bytes of a packet that is not the last packet of its message. */
const begun = (channelId: number, length: number): Uint8Array =>
  Packet.encodeDelimited({ sum: { case: 'packetMsg', value: { channelId, eof: false, data: new Uint8Array(length) } } })

test('error: a message that is never finished ends the connection, also if a byte arrives from time to time', async () => {
  const { clock, transports, b } = createPair({ pingIntervalMs: 1_000_000 })
  let ended: Error | undefined
  void b.ended.then((error) => {
    ended = error
  })
  await turns()
  let seconds = 0
  for (; ended === undefined && seconds < 200; seconds += 2) {
    transports[0].write(begun(1, 1))
    await turns(2)
    clock.advance(2000)
    await turns(2)
  }
  expect(ended).toMatchObject({ code: MCONN_ERRORS.messageTime })
  expect(seconds).toBeGreaterThanOrEqual(60)
})

test('behavior: the time in which this side handles a message does not count for an unfinished message', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { clock, transports, b } = createPair({ pingIntervalMs: 1_000_000 }, () => promise)
  await turns()
  transports[0].write(begun(1, 1))
  transports[0].write(
    Packet.encodeDelimited({ sum: { case: 'packetMsg', value: { channelId: 2, eof: true, data: Uint8Array.of(1) } } }),
  )
  await turns()
  for (let i = 0; i < 100; i++) clock.advance(2000)
  resolve()
  transports[0].write(
    Packet.encodeDelimited({ sum: { case: 'packetMsg', value: { channelId: 1, eof: true, data: Uint8Array.of(2) } } }),
  )
  await turns()
  expect(b.received.at(-1)).toEqual([1, Uint8Array.of(0, 2)])
})

test('behavior: reports the bytes of unfinished messages and of messages that wait to be sent', async () => {
  const clock = createVirtualClock()
  const [ours, theirs] = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const multiplexer = createMultiplexer(
    { ...DEFAULT_MCONN_OPTIONS, channels: [{ id: 1, priority: 1, sendQueueCapacity: 4 }] },
    { transport: ours, clock, onMessage: () => undefined, onEnd: () => undefined },
  )
  expect(multiplexer.heldBytes()).toBe(0)
  multiplexer.trySend(1, new Uint8Array(50_000))
  multiplexer.trySend(1, new Uint8Array(1))
  expect(multiplexer.heldBytes()).toBe(50_001)
  multiplexer.start()
  await turns()
  expect(multiplexer.heldBytes()).toBe(0)
  const packet = { channelId: 1, eof: false, data: new Uint8Array(1000) }
  theirs.handle({ data: () => undefined, drain: () => undefined, close: () => undefined })
  for (let i = 0; i < 20; i++) theirs.write(Packet.encodeDelimited({ sum: { case: 'packetMsg', value: packet } }))
  await turns()
  expect(multiplexer.heldBytes()).toBeGreaterThanOrEqual(20_000)
  multiplexer.stop()
})

const PING = Packet.encodeDelimited({ sum: { case: 'packetPing', value: {} } })

/** Returns as many pings, one after the other, as fit into this number of bytes. */
const pings = (bytes: number): Uint8Array =>
  new Uint8Array(Buffer.concat(Array.from({ length: Math.floor(bytes / PING.length) }, () => PING)))

test('limit: an almost empty packet counts as more bytes than it has', async () => {
  const { clock, transports, b } = createPair({ receiveRate: 256_000 })
  // Each packet counts as at least 256 bytes, so 4,000 pings count as 1,024,000 bytes. The rate is 256,000 bytes per
  // second. It allows the bytes of one second immediately, and the other bytes need three more seconds.
  transports[0].write(pings(4000 * PING.length))
  await turns()
  transports[0].write(
    Packet.encodeDelimited({ sum: { case: 'packetMsg', value: { channelId: 2, eof: true, data: Uint8Array.of(1) } } }),
  )
  await turns()
  expect(b.received).toEqual([])
  clock.advance(2900)
  await turns()
  expect(b.received).toEqual([])
  clock.advance(200)
  await turns()
  expect(b.received).toHaveLength(1)
})

test('limit: an almost empty frame counts as more bytes than it has', () => {
  const options = { ...DEFAULT_MCONN_OPTIONS, receiveRate: 256_000, channels: [{ id: 2, priority: 5 }] }
  const message = { channelId: 2, eof: true, data: new Uint8Array(1000) }
  const incomplete = Packet.encodeDelimited({ sum: { case: 'packetMsg', value: message } }).subarray(0, 900)
  /** Delivers an incomplete packet in this number of frames, and returns true if reading then pauses. */
  const pausesAfter = (frames: number | undefined): boolean => {
    let handlers: TransportHandlers | undefined
    let isPaused = false
    const transport: ByteTransport = {
      remoteAddress: '127.0.0.1:1',
      write: () => true,
      handle: (given) => {
        handlers = given
      },
      pause: () => {
        isPaused = true
      },
      resume: () => {
        isPaused = false
      },
      close: () => undefined,
    }
    const modules = { transport, clock: createVirtualClock(), onMessage: () => undefined, onEnd: () => undefined }
    const multiplexer = createMultiplexer(options, modules)
    multiplexer.start()
    handlers?.data(incomplete, frames)
    multiplexer.stop()
    return isPaused
  }
  // The rate allows the bytes of one second at once. 1,000 frames count as 256,000 bytes.
  expect([undefined, 2, 999, 1000].map(pausesAfter)).toEqual([false, false, false, true])
})

test('behavior: connections that share the time for packets read a flood in many turns of the event loop', async () => {
  let now = 0
  let clockReads = 0
  // The clock advances by 0.1 ms each time it is read.
  const readTurns = createReadTurns({
    monotonic: () => {
      clockReads++
      now += 0.1
      return now
    },
  })
  const [near, far] = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const counts: number[] = []
  let messages = 0
  const multiplexer = createMultiplexer(
    { ...DEFAULT_MCONN_OPTIONS, receiveRate: 0, channels: [{ id: 2, priority: 5, sendQueueCapacity: 4 }] },
    {
      transport: far,
      clock: createVirtualClock(),
      readTurns,
      onMessage: () => void messages++,
      onEnd: () => undefined,
    },
  )
  multiplexer.start()
  const message = Packet.encodeDelimited({
    sum: { case: 'packetMsg', value: { channelId: 2, eof: true, data: Uint8Array.of(1) } },
  })
  near.write(new Uint8Array(Buffer.concat(Array.from({ length: 2000 }, () => message))))
  while (messages < 2000) {
    const before = messages
    await turns(1)
    counts.push(messages - before)
  }
  // A turn of the event loop has 2 ms for reading packets. Each reading of the clock takes 0.1 ms of them, and four
  // packets are read between two readings. So about 80 packets are read in a turn.
  for (const count of counts) expect(count).toBeLessThanOrEqual(2 * 100)
  expect(counts.length).toBeGreaterThan(10)
  expect(clockReads).toBeGreaterThan(0)
  multiplexer.stop()
})
