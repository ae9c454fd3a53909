import { bytesToHex, compareBytes } from '@org/types/bytes'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  blockHeightKey,
  blockKey,
  parseBlockHeightKey,
  parseBlockKey,
  parseTxKey,
  txEventKeyPrefix,
  txKeyValue,
} from './keys.ts'
import { encodeOrdered, OrderedReader } from './ordered-code.ts'

const item = fc.oneof(fc.maxSafeInteger(), fc.string({ unit: 'binary' }), fc.integer({ min: -70, max: 70 }))
const wellFormed = fc.string({ unit: 'grapheme', maxLength: 12 })

describe('ordered code', () => {
  it.each([
    [0x23, 'A3'],
    [0x10e, 'C10E'],
    [-0x10f, '3EF1'],
    [63, 'BF'],
    [64, 'C040'],
    [-64, '40'],
    [-65, '3FBF'],
    [Number.MAX_SAFE_INTEGER, 'FF1FFFFFFFFFFFFF'],
    ['a\u0000b', '6100FF620001'],
  ])('default: %s', (value, hex) => {
    expect(bytesToHex(encodeOrdered(value))).toBe(hex)
  })

  it('behavior: a text of many bytes that are escaped is read: one event of an application may have it', () => {
    const text = `${'\u0000'.repeat(300_000)}end`
    const reader = new OrderedReader(encodeOrdered(text, 7))
    expect(reader.string() === text).toBe(true)
    expect(reader.integer()).toBe(7)
  })

  it('behavior: the reader returns the values that were encoded', () => {
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const texts = items.map((value) => (typeof value === 'string' ? value.toWellFormed() : value))
        const reader = new OrderedReader(encodeOrdered(...texts))
        expect(texts.map((value) => (typeof value === 'string' ? reader.string() : reader.integer()))).toEqual(texts)
        expect(reader.done).toBe(true)
      }),
    )
  })

  it('behavior: the order of the bytes is the order of the numbers', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        expect(Math.sign(compareBytes(encodeOrdered(a), encodeOrdered(b)))).toBe(Math.sign(a - b))
      }),
    )
  })

  it('error: any bytes are decoded or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 24 }), (bytes) => {
        new OrderedReader(bytes).string()
        new OrderedReader(bytes).integer()
        parseBlockKey(bytes)
        parseBlockHeightKey(bytes)
        const parsed = parseTxKey(bytes)
        if (parsed !== undefined) txKeyValue(bytes, parsed)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('keys', () => {
  it("default: the key of a block's event decodes to its parts", () => {
    expect(parseBlockKey(blockKey('v.size', '3', 70_000, 9))).toEqual({
      tag: 'v.size',
      value: '3',
      height: 70_000,
      sequence: 9,
    })
    expect(parseBlockHeightKey(blockHeightKey(70_000))).toBe(70_000)
    expect(parseBlockKey(blockHeightKey(70_000))).toBeUndefined()
  })

  it.each([
    ['v0.34, without a number', blockKey('v.size', '3', 5, 'end_block_event'), 0],
    ['v0.37, with a number', blockKey('v.size', '3', 5, 'end_block_event', 8), 8],
  ])('behavior: a block event of %s', (_name, key, sequence) => {
    expect(parseBlockKey(key)).toMatchObject({ height: 5, sequence })
  })

  it('behavior: a transaction’s key decodes to its parts', () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(), fc.nat(), fc.nat(), (value, height, index, sequence) => {
        const key = new TextEncoder().encode(`${txEventKeyPrefix('app.key', value, { height, index })}${sequence}`)
        const parsed = parseTxKey(key)
        expect(parsed).toMatchObject({ height, index, sequence })
        expect(txKeyValue(key, parsed as NonNullable<typeof parsed>)).toBe(value)
      }),
    )
  })

  it('behavior: a key that an old node wrote has the sequence number 0', () => {
    expect(parseTxKey(new TextEncoder().encode('app.key/x/5/2'))).toMatchObject({ height: 5, index: 2, sequence: 0 })
    expect(parseTxKey(new TextEncoder().encode('no key'))).toBeUndefined()
  })
})
