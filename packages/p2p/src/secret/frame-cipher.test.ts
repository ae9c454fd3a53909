import { loadSodium, type Sodium } from '@org/runtime/sodium'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FrameCipher, nodeCipher, sodiumCipher } from './frame-cipher.ts'
import { createOpener, createSealer, FRAME_SIZE, SEALED_FRAME_SIZE } from './frames.ts'

const sodium = loadSodium()
const key = new Uint8Array(32).fill(4)
const refused = expect.objectContaining({ code: 'SECRET_FRAME' })

function readAll(sealed: Uint8Array, cipher: FrameCipher): Uint8Array {
  const open = createOpener(key, cipher)
  const data: number[] = []
  for (let at = 0; at < sealed.length; at += SEALED_FRAME_SIZE) {
    data.push(...open(sealed.subarray(at, at + SEALED_FRAME_SIZE)))
  }
  return Uint8Array.from(data)
}

test.skipIf(sodium === undefined)(
  "property: libsodium and Node seal the same frames, and each opens the other's",
  () => {
    const ciphers = () => [nodeCipher(key), sodiumCipher(key, sodium as Sodium)] as const
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 2500 }), { maxLength: 5 }), (messages) => {
        const [node, native] = ciphers().map((cipher) => {
          const seal = createSealer(key, cipher)
          return Uint8Array.from(messages.flatMap((message) => [...seal(message)]))
        }) as [Uint8Array, Uint8Array]
        expect(native).toEqual(node)
        const plain = Uint8Array.from(messages.flatMap((message) => [...message]))
        for (const cipher of ciphers()) expect(readAll(node, cipher)).toEqual(plain)
      }),
      { numRuns: 30 },
    )
  },
)

describe.each([
  ['node', () => nodeCipher(key)],
  ...(sodium === undefined ? [] : [['libsodium', () => sodiumCipher(key, sodium)] as const]),
] as const)('frames by %s', (_, cipher) => {
  test('error: a valid frame that claims more data than a frame can have is refused', () => {
    const plain = new Uint8Array(FRAME_SIZE)
    const seal = (length: number): Uint8Array => {
      new DataView(plain.buffer).setUint32(0, length, true)
      const sealed = new Uint8Array(SEALED_FRAME_SIZE)
      cipher().seal(plain, new Uint8Array(12), sealed)
      return sealed
    }
    expect(createOpener(key, cipher())(seal(1024))).toHaveLength(1024)
    for (const length of [1025, 2 ** 31, 2 ** 32 - 1]) {
      const fault = expect.objectContaining({ code: 'SECRET_FRAME_LENGTH' })
      expect(() => createOpener(key, cipher())(seal(length)), `${length}`).toThrow(fault)
    }
  })

  test('error: a frame with any changed bit, and a repeated frame, are refused', () => {
    const sealed = createSealer(key, cipher())(new Uint8Array(1024).fill(7))
    for (const at of [0, 3, 4, 500, 1027, 1028, 1043]) {
      const changed = sealed.slice()
      changed[at] = (changed[at] as number) ^ 0x10
      expect(() => createOpener(key, cipher())(changed), `byte ${at}`).toThrow(refused)
    }
    const open = createOpener(key, cipher())
    expect(open(sealed)).toHaveLength(1024)
    expect(() => open(sealed)).toThrow(refused)
  })
})
