import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  base64ToBytes,
  bytesToBase64,
  bytesToBinary,
  bytesToHex,
  bytesToUtf8,
  compareBytes,
  concatBytes,
  equalBytes,
  hexToBytes,
  isBinaryOf,
  shownBytes,
  utf8ToBytes,
} from './index.ts'

const bytes = fc.uint8Array({ maxLength: 50 })

describe('text forms', () => {
  test('limit: a text for people has at most 32 bytes in hex, and the number of all bytes', () => {
    const hash = new Uint8Array(32).fill(0xab)
    expect(shownBytes(hash)).toBe('AB'.repeat(32))
    expect(shownBytes(new Uint8Array(4_000_000).fill(0xab))).toBe(`${'AB'.repeat(32)}… (4000000 bytes)`)
  })

  test('default: bytes in hex, base64 and escaped UTF-8 read back equal', () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(hexToBytes(bytesToHex(value))).toEqual(value)
        expect(hexToBytes(bytesToHex(value).toLowerCase())).toEqual(value)
        expect(base64ToBytes(bytesToBase64(value))).toEqual(value)
        expect(utf8ToBytes(bytesToUtf8(value))).toEqual(value)
      }),
    )
  })

  test('default: a text with one character per byte sorts like the bytes, and has no other bytes', () => {
    const numbers = (text: string): number[] => [...text].map((char) => char.charCodeAt(0))
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const [a, b] = [bytesToBinary(one), bytesToBinary(other)]
        expect(numbers(a)).toEqual([...one])
        expect(a < b).toBe(compareBytes(one, other) < 0)
        expect(isBinaryOf(a, one)).toBe(true)
        expect(isBinaryOf(a, other)).toBe(equalBytes(one, other))
      }),
    )
  })

  test('default: valid UTF-8 is decoded to its text, and a byte order mark is kept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(bytesToUtf8(new TextEncoder().encode(text))).toBe(text)
        expect(utf8ToBytes(text)).toEqual(new TextEncoder().encode(text))
      }),
    )
    expect(bytesToUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa')
  })

  test.each([
    ['a continuation byte', [0x61, 0x80, 0x62], 'a\udc80b'],
    ['a cut sequence: each byte, as in Go', [0xe2, 0x82, 0x41], '\udce2\udc82A'],
    ['an overlong form', [0xc0, 0xaf], '\udcc0\udcaf'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\udced\udca0\udc80'],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80'],
    ['at the end', [0xe2, 0x98, 0x83, 0xff], '☃\udcff'],
  ])('behavior: escapes %s', (_, value, text) => {
    expect(bytesToUtf8(Uint8Array.from(value))).toBe(text)
    expect(utf8ToBytes(text)).toEqual(Uint8Array.from(value))
  })

  test('behavior: an escaped byte does not change how the text around it is decoded and encoded', () => {
    const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
    const text = fc.string({ unit: 'binary', maxLength: 200 })
    fc.assert(
      // Long texts are converted in parts: a part may end between the halves of a surrogate pair.
      fc.property(text, text, fc.integer({ min: 1, max: 60 }), (one, other, times) => {
        const [before, after] = [one.repeat(times), other.repeat(times)]
        const value = concatBytes(encode(before), Uint8Array.of(0xff), encode(after))
        expect(bytesToUtf8(value) === `${before}\udcff${after}`).toBe(true)
        expect(equalBytes(utf8ToBytes(`${before}\udcff${after}`), value)).toBe(true)
        expect(equalBytes(utf8ToBytes(`${before}\ud800`), concatBytes(encode(before), encode('\ufffd')))).toBe(true)
      }),
    )
  })

  test('behavior: a lone surrogate that is not an escape becomes U+FFFD', () => {
    expect(utf8ToBytes('a\ud800b')).toEqual(utf8ToBytes('a\ufffdb'))
    expect(utf8ToBytes('\udc00')).toEqual(utf8ToBytes('\ufffd'))
  })

  test('error: text that is not hex or not base64 is refused', () => {
    expect(hexToBytes('abc')).toBeUndefined()
    expect(hexToBytes('zz')).toBeUndefined()
    expect(base64ToBytes('YQ')).toBeUndefined()
    expect(base64ToBytes('Y!==')).toBeUndefined()
    expect(base64ToBytes('Y\nQ=\r\n=')).toEqual(Uint8Array.of(0x61))
  })
})

describe('operations', () => {
  test('default: compare, equal and concat agree', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [x, y] = [bytesToHex(a), bytesToHex(b)]
        expect(Math.sign(compareBytes(a, b))).toBe(x < y ? -1 : x > y ? 1 : 0)
        expect(equalBytes(a, b)).toBe(x === y)
        expect(bytesToHex(concatBytes(a, b))).toBe(x + y)
      }),
    )
  })
})
