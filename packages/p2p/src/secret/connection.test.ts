import { createSystemClock } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { type ByteTransport, dialTcp, listenTcp, memoryTransportPair } from '../transport/index.ts'
import { nodeCipher } from './frame-cipher.ts'
import { FRAME_SIZE, SEALED_FRAME_SIZE } from './frames.ts'
import { createHandshake } from './handshake.ts'
import { ephemeralKeys, secure } from './index.ts'
import { deriveSessionKeys } from './keys.ts'

const clock = createSystemClock()
const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32))
const options = (seed: number) => ({
  privateKey: generateEd25519(new Uint8Array(32).fill(seed)),
  ephemeral: ephemeralKeys(random()),
  timeoutMs: 5000,
})

async function collect(transport: ByteTransport, length: number): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const got: number[] = []
  const noop = (): void => undefined
  transport.handle({
    data: (bytes) => {
      got.push(...bytes)
      if (got.length >= length) resolve()
    },
    drain: noop,
    close: noop,
  })
  transport.resume()
  await promise
  return Uint8Array.from(got)
}

test('default: two nodes over TCP authenticate each other and exchange data in both directions', async () => {
  const { promise: accepted, resolve } = Promise.withResolvers<ByteTransport>()
  const listener = await listenTcp({ host: '127.0.0.1', port: 0 }, resolve)
  const dialled = await dialTcp({ host: '127.0.0.1', port: listener.port }, { timeoutMs: 5000 })
  const [a, b] = await Promise.all([secure(dialled, options(1), clock), secure(await accepted, options(2), clock)])
  expect(a.remoteKey).toEqual(publicKeyOf(options(2).privateKey))
  expect(b.remoteKey).toEqual(publicKeyOf(options(1).privateKey))
  const data = Uint8Array.from({ length: 5000 }, (_, i) => i)
  const [atB, atA] = [collect(b, 5000), collect(a, 3)]
  a.write(data)
  b.write(Uint8Array.of(1, 2, 3))
  expect(await atB).toEqual(data)
  expect(await atA).toEqual(Uint8Array.of(1, 2, 3))
  a.close()
  await listener.close()
})

test('error: an ephemeral key of low order is refused', async () => {
  const [own, other] = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const secured = secure(own, options(1), clock)
  other.write(Uint8Array.of(34, 10, 32, ...new Uint8Array(32)))
  await expect(secured).rejects.toMatchObject({ code: 'SECRET_LOW_ORDER_KEY' })
})

test('error: a peer that closes, or sends garbage or too many bytes, is refused', async () => {
  const closed = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const first = secure(closed[0], options(1), clock)
  closed[1].close()
  await expect(first).rejects.toMatchObject({ code: 'SECRET_CLOSED' })
  const garbage = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const second = secure(garbage[0], options(1), clock)
  garbage[1].write(Uint8Array.of(3, 10, 200, 1))
  await expect(second).rejects.toMatchObject({ code: 'SECRET_HANDSHAKE_MESSAGE' })
  const long = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const third = secure(long[0], options(1), clock)
  long[1].write(Uint8Array.of(0xff, 0xff, 0x3f))
  await expect(third).rejects.toMatchObject({ code: 'SECRET_HANDSHAKE_SIZE' })
})

test('error: a replayed or changed frame ends the connection', async () => {
  const [left, right] = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const sent: Uint8Array[] = []
  const recording: ByteTransport = {
    ...left,
    write: (bytes) => {
      sent.push(bytes.slice())
      return left.write(bytes)
    },
  }
  const [a, b] = await Promise.all([secure(recording, options(1), clock), secure(right, options(2), clock)])
  a.write(Uint8Array.of(1))
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>()
  const got: Uint8Array[] = []
  b.handle({ data: (bytes) => void got.push(bytes.slice()), drain: () => undefined, close: resolve })
  b.resume()
  left.write(sent.at(-1) as Uint8Array)
  expect(await closed).toMatchObject({ code: 'SECRET_FRAME' })
  expect(got).toEqual([Uint8Array.of(1)])
})

test('error: an empty frame ends the connection', async () => {
  const [left, right] = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  const own = ephemeralKeys(random())
  const secured = secure(right, options(2), clock)
  const handshake = createHandshake(options(1).privateKey, own)
  const received: Uint8Array[] = []
  const done = new Promise<void>((resolve) => {
    left.handle({
      data: (bytes) => {
        received.push(bytes)
        const step = handshake.receive(bytes)
        if (step.type !== 'send') return
        left.write(step.bytes)
        resolve()
      },
      drain: () => undefined,
      close: () => undefined,
    })
  })
  left.write(handshake.hello as Uint8Array)
  left.resume()
  await done
  const b = await secured
  // The other side's first message has 35 bytes, and the last 32 of them are its ephemeral key.
  const { sendKey } = deriveSessionKeys(own, received[0]?.subarray(3, 35) as Uint8Array)
  const sealed = new Uint8Array(SEALED_FRAME_SIZE)
  // The frame of the handshake had the nonce 0. A frame without data begins with the length 0.
  nodeCipher(sendKey).seal(new Uint8Array(FRAME_SIZE), new Uint8Array(12).with(4, 1), sealed)
  const { promise: closed, resolve } = Promise.withResolvers<Error | undefined>()
  b.handle({ data: () => undefined, drain: () => undefined, close: resolve })
  b.resume()
  left.write(sealed)
  expect(await closed).toMatchObject({ code: 'SECRET_FRAME_LENGTH', message: 'the peer sent an empty frame' })
})

test('behavior: frames arrive complete for any division of the stream into pieces, also while no reader waits', async () => {
  const [left, right] = memoryTransportPair(['127.0.0.1:1', '127.0.0.1:2'])
  /** The bytes that are written after the handshake. The test keeps them and delivers them in pieces of other sizes. */
  let kept: Uint8Array[] | undefined
  const write = (bytes: Uint8Array): boolean => {
    if (kept === undefined) return left.write(bytes)
    kept.push(bytes)
    return true
  }
  const [a, b] = await Promise.all([secure({ ...left, write }, options(1), clock), secure(right, options(2), clock)])
  for (const sizes of [[1], [1043, 1], [1044], [1045, 3000], [700, 1500, 5], [100_000]]) {
    kept = []
    const data = Uint8Array.from({ length: 7000 }, (_, i) => i * sizes.length)
    for (let at = 0; at < data.length; at += 1700) a.write(data.subarray(at, at + 1700))
    const sealed = Uint8Array.from(kept.flatMap((bytes) => [...bytes]))
    const arrived = collect(b, data.length)
    for (let at = 0, i = 0; at < sealed.length; i++) {
      const size = sizes[i % sizes.length] as number
      if (i % 3 === 1) b.pause()
      left.write(sealed.slice(at, at + size))
      at += size
      b.resume()
    }
    expect(await arrived, sizes.join()).toEqual(data)
  }
})
