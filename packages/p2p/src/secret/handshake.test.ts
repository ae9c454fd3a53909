import { hexToBytes } from '@org/types/bytes'
import { generateEd25519, type PrivateKey, publicKeyOf, sign } from '@org/types/crypto'
import { AuthSigMessage } from '@org/types/p2p'
import { describe, expect, test } from 'vitest'
import { createOpener, createSealer, SEALED_FRAME_SIZE } from './frames.ts'
import { createHandshake } from './handshake.ts'
import { deriveSessionKeys, type EphemeralKeys, ephemeralKeys } from './keys.ts'

const key = (seed: number): PrivateKey => generateEd25519(new Uint8Array(32).fill(seed))
const ephemeral = (seed: number) => ephemeralKeys(new Uint8Array(32).fill(seed))
/** The first message of the other side: its ephemeral key, in 34 bytes after a length prefix. */
const hello = (point: Uint8Array): Uint8Array => Uint8Array.of(34, 10, 32, ...point)

/**
 * Makes a handshake that has received the first message of a peer. The test then passes the peer's second message to
 * it: `receive` passes any message, and `receiveBytes` passes any bytes.
 */
function begun(exactChecks?: { readonly tryTake: (cost: number) => boolean }) {
  const [own, other] = [ephemeral(1), ephemeral(2)]
  const handshake = createHandshake(key(1), own, exactChecks)
  expect(handshake.receive(hello(other.public)).type).toBe('send')
  const { sendKey, challenge } = deriveSessionKeys(other, own.public)
  const seal = createSealer(sendKey)
  const receive = (message: AuthSigMessage) => handshake.receive(seal(AuthSigMessage.encodeDelimited(message)))
  return { receive, challenge, receiveBytes: (bytes: Uint8Array) => handshake.receive(seal(bytes)) }
}

describe('handshake', () => {
  test('default: the handshake returns the key that signed the challenge', () => {
    const { receive, challenge } = begun()
    const step = receive(AuthSigMessage.create({ pubKey: publicKeyOf(key(2)), sig: sign(key(2), challenge) }))
    expect(step).toMatchObject({ type: 'done', session: { remoteKey: publicKeyOf(key(2)) } })
  })

  test('error: a signature by another key, a signature of another challenge and a missing signature are refused', () => {
    const faults = (challenge: Uint8Array) => [
      sign(key(3), challenge),
      sign(key(2), new Uint8Array(32)),
      new Uint8Array(64),
      new Uint8Array(0),
    ]
    for (const index of [0, 1, 2, 3]) {
      const { receive, challenge } = begun()
      const sig = faults(challenge)[index] as Uint8Array
      const message = AuthSigMessage.create({ pubKey: publicKeyOf(key(2)), sig })
      expect(() => receive(message)).toThrow(expect.objectContaining({ code: 'SECRET_CHALLENGE' }))
    }
  })

  test('error: a connection that needs an exact check is closed while their budget is used up, and valid signatures need none', () => {
    const costs: number[] = []
    const spent = { tryTake: (cost: number) => costs.push(cost) === 0 }
    const good = begun(spent)
    const proof = AuthSigMessage.create({ pubKey: publicKeyOf(key(2)), sig: sign(key(2), good.challenge) })
    expect(good.receive(proof).type).toBe('done')
    expect(costs).toEqual([])
    const forged = AuthSigMessage.create({ pubKey: publicKeyOf(key(2)), sig: sign(key(3), good.challenge) })
    expect(() => begun(spent).receive(forged)).toThrow(expect.objectContaining({ code: 'SECRET_BUSY' }))
    // The key `identity` is the point of order 1. By the rules of ZIP-215, the signature in `unusual` is valid under
    // this key for every message. The fast check refuses the signature, so the exact check decides. libsodium cannot
    // run the exact check for this key, but JavaScript can. The check costs 12 units of about 0.2 ms.
    const identity = Uint8Array.of(1, ...new Uint8Array(31))
    const unusual = AuthSigMessage.create({
      pubKey: { type: 'ed25519', bytes: identity },
      sig: Uint8Array.of(...identity, ...new Uint8Array(32)),
    })
    expect(() => begun(spent).receive(unusual)).toThrow(expect.objectContaining({ code: 'SECRET_BUSY' }))
    expect(costs[1]).toBe(12)
    expect(begun({ tryTake: () => true }).receive(unusual).type).toBe('done')
  })

  test('error: a key of another type and a missing key are refused', () => {
    const refused = expect.objectContaining({ code: 'SECRET_KEY_TYPE' })
    const secp = { type: 'secp256k1', bytes: new Uint8Array(33).fill(2) } as const
    expect(() => begun().receive(AuthSigMessage.create({ pubKey: secp, sig: new Uint8Array(64) }))).toThrow(refused)
    // This message has a signature and no key.
    const alone = Uint8Array.of(66, 18, 64, ...new Uint8Array(64))
    expect(() => begun().receiveBytes(alone)).toThrow(expect.objectContaining({ code: 'SECRET_CHALLENGE' }))
  })

  test('error: every point of low order is refused, also in encodings that are not canonical', () => {
    const points = [
      '0000000000000000000000000000000000000000000000000000000000000000',
      '0100000000000000000000000000000000000000000000000000000000000000',
      'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
      '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
      'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    ]
    for (const point of points) {
      const handshake = createHandshake(key(1), ephemeral(1))
      const first = hello(hexToBytes(point) as Uint8Array)
      expect(() => handshake.receive(first), point).toThrow(expect.objectContaining({ code: 'SECRET_LOW_ORDER_KEY' }))
    }
  })

  test('behavior: a side that waits makes its keys only after the key of the other side has arrived', () => {
    let made = 0
    const own = (): EphemeralKeys => {
      made++
      return ephemeral(1)
    }
    const handshake = createHandshake(key(1), own)
    expect(handshake.hello).toBe(undefined)
    const first = hello(ephemeral(2).public)
    expect(handshake.receive(first.subarray(0, 34)).type).toBe('waiting')
    expect(made).toBe(0)
    const step = handshake.receive(first.subarray(34))
    expect(made).toBe(1)
    // The handshake `eager` sends its key (`hello`) at once, and its signature after it has received the key of the
    // other side. A handshake that waits sends nothing until it has received that key. Then it sends its key and its
    // signature together.
    const eager = createHandshake(key(1), ephemeral(1))
    const answer = eager.receive(first)
    if (step.type !== 'send' || answer.type !== 'send') throw new Error('both sides answer')
    expect(step.bytes).toEqual(Uint8Array.of(...(eager.hello as Uint8Array), ...answer.bytes))
  })

  test('behavior: any division of the bytes into pieces gives the same result', () => {
    const [own, other] = [ephemeral(1), ephemeral(2)]
    const { sendKey, challenge } = deriveSessionKeys(other, own.public)
    const proof = AuthSigMessage.create({ pubKey: publicKeyOf(key(2)), sig: sign(key(2), challenge) })
    const bytes = Uint8Array.of(...hello(other.public), ...createSealer(sendKey)(AuthSigMessage.encodeDelimited(proof)))
    for (const size of [1, 7, 100, bytes.length]) {
      const handshake = createHandshake(key(1), own)
      let last = handshake.receive(new Uint8Array(0))
      for (let at = 0; at < bytes.length; at += size) {
        last = handshake.receive(bytes.subarray(at, at + size))
        while (last.type === 'send') last = handshake.receive(new Uint8Array(0))
      }
      expect(last.type).toBe('done')
    }
  })
})

describe('frames', () => {
  const frames = (): Uint8Array[] => {
    const sealed = createSealer(new Uint8Array(32).fill(4))(new Uint8Array(3000).fill(7))
    return [0, 1, 2].map((i) => sealed.slice(i * SEALED_FRAME_SIZE, (i + 1) * SEALED_FRAME_SIZE))
  }
  const open = () => createOpener(new Uint8Array(32).fill(4))
  const refused = expect.objectContaining({ code: 'SECRET_FRAME' })

  test('error: frames that are out of order, missing, repeated or changed are refused', () => {
    const [first, second] = frames() as [Uint8Array, Uint8Array]
    expect(() => open()(second)).toThrow(refused)
    const opener = open()
    expect(opener(first).length).toBe(1024)
    expect(() => opener(first)).toThrow(refused)
    for (const at of [0, 5, 1027, 1028, 1043]) {
      const changed = first.slice()
      changed[at] = (changed[at] as number) ^ 1
      expect(() => open()(changed), `byte ${at}`).toThrow(refused)
    }
  })
})
