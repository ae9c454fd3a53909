import { utf8ToBytes } from '@org/types/bytes'
import { findInvalidSignature, publicKeyOf, type SignedItem, sign } from '@org/types/crypto'
import { describe, expect, test } from 'vitest'
import { rememberSignatures } from '../src/verifier/remember-signatures.ts'
import { makeKeys } from './made-chain.ts'

const KEYS = makeKeys(4)
const MESSAGE = utf8ToBytes('a message')

const items = (): SignedItem[] =>
  KEYS.map((key) => ({ publicKey: publicKeyOf(key), message: MESSAGE, signature: sign(key, MESSAGE) }))

function counted() {
  const counts: number[] = []
  const find = rememberSignatures(async (given) => {
    counts.push(given.length)
    return findInvalidSignature(given)
  })
  return { counts, find }
}

describe('remembered signatures', () => {
  test('are not verified again', async () => {
    const { counts, find } = counted()
    const all = items()
    expect([await find(all.slice(0, 3)), await find(all), await find(all)]).toEqual([-1, -1, -1])
    expect(counts).toEqual([3, 1])
  })

  test.each([
    ['another message', { message: utf8ToBytes('another message') }],
    ['another key', { publicKey: publicKeyOf(makeKeys(1, 'other')[0] as (typeof KEYS)[number]) }],
  ])('do not hold for %s', async (_, change) => {
    const { counts, find } = counted()
    const all = items()
    await find(all)
    expect(await find(all.map((item, i) => (i === 2 ? { ...item, ...change } : item)))).toBe(2)
    expect(counts).toEqual([4, 1])
  })

  test('an invalid one keeps its place in the list, and none of the list is remembered', async () => {
    const { counts, find } = counted()
    const all = items()
    await find(all.slice(0, 2))
    const forged = all.map((item, i) => (i === 3 ? { ...item, signature: new Uint8Array(64) } : item))
    expect(await find(forged)).toBe(3)
    expect(await find(all)).toBe(-1)
    expect(counts).toEqual([2, 2, 2])
  })
})
