import { describe, expect, test } from 'vitest'
import { bytesToBase64, bytesToHex } from '../bytes/index.ts'
import {
  addressOf,
  CRYPTO_ERRORS,
  formatPublicKey,
  generateEd25519,
  generateSecp256k1,
  isKeyType,
  privateKeyFromBytes,
  privateKeyFromJson,
  privateKeyToJson,
  publicKeyFromBytes,
  publicKeyFromJson,
  publicKeyOf,
  publicKeyToJson,
} from './index.ts'

describe.each([
  ['ed25519', generateEd25519, 'Ed25519', 64],
  ['secp256k1', generateSecp256k1, 'Secp256k1', 32],
] as const)('%s keys', (type, generate, name, size) => {
  const key = generate()
  const publicKey = publicKeyOf(key)

  test('default: keys become bytes and JSON, and read back equal', () => {
    expect(key.bytes).toHaveLength(size)
    expect(privateKeyFromBytes(type, key.bytes)).toEqual(key)
    expect(privateKeyFromJson(privateKeyToJson(key))).toEqual(key)
    expect(privateKeyToJson(key)).toEqual({ type: `tendermint/PrivKey${name}`, value: bytesToBase64(key.bytes) })
    expect(publicKeyFromJson(publicKeyToJson(publicKey))).toEqual(publicKey)
    expect(publicKeyToJson(publicKey)).toMatchObject({ type: `tendermint/PubKey${name}` })
    expect(formatPublicKey(publicKey)).toBe(`PubKey${name}{${bytesToHex(publicKey.bytes)}}`)
    expect(addressOf(publicKey)).toHaveLength(20)
    expect(isKeyType(type)).toBe(true)
  })

  test('error: keys of a wrong size, type or form are refused', () => {
    const size = expect.objectContaining({ code: CRYPTO_ERRORS.keySize })
    expect(() => publicKeyFromBytes(type, new Uint8Array(5))).toThrow(
      `invalid size for PubKey${name}. Got 5, expected ${publicKey.bytes.length}`,
    )
    expect(() => privateKeyFromBytes(type, new Uint8Array(5))).toThrow(size)
    expect(() => addressOf({ type, bytes: new Uint8Array(0) })).toThrow(size)
    const json = expect.objectContaining({ code: CRYPTO_ERRORS.keyJson })
    for (const bad of [
      null,
      'x',
      {},
      { type: `tendermint/PubKey${name}` },
      { type: 'x', value: '' },
      { type: `tendermint/PubKey${name}`, value: '?' },
    ]) {
      expect(() => publicKeyFromJson(bad)).toThrow(json)
      expect(() => privateKeyFromJson(bad)).toThrow(json)
    }
    expect(() => publicKeyFromJson({ type: `tendermint/PubKey${name}`, value: 'AA==' })).toThrow(size)
    expect(() => privateKeyFromJson({ type: `tendermint/PrivKey${name}`, value: 'AA==' })).toThrow(size)
  })
})

test('error: an ed25519 key with a wrong public half is refused, and a seed alone gives a key', () => {
  const [one, other] = [1, 2].map((byte) => privateKeyFromBytes('ed25519', new Uint8Array(32).fill(byte)).bytes)
  const mixed = new Uint8Array(64)
  mixed.set(one?.subarray(0, 32) ?? [])
  mixed.set(other?.subarray(32) ?? [], 32)
  for (const bytes of [new Uint8Array(64), mixed])
    expect(() => privateKeyFromBytes('ed25519', bytes)).toThrow(
      expect.objectContaining({
        code: CRYPTO_ERRORS.keyMismatch,
        message: expect.stringContaining('end in its public key'),
      }),
    )
  // The second half may be the secret half, if another program wrote the halves in the other order.
  expect(() => privateKeyFromBytes('ed25519', mixed)).not.toThrow(bytesToBase64(mixed.subarray(32)))
  expect(privateKeyFromBytes('ed25519', new Uint8Array(32)).bytes).toHaveLength(64)
  expect(isKeyType('sr25519')).toBe(false)
  expect(isKeyType('toString')).toBe(false)
})
