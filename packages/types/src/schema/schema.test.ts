import { describe, expect, test } from 'vitest'
import {
  bytes,
  duration,
  EMPTY_BYTES,
  enumeration,
  field,
  int32,
  int64,
  isJsonObject,
  message,
  NO_ITEMS,
  oneof,
  optional,
  repeated,
  SCHEMA_ERRORS,
  SchemaError,
  safeInt64,
  safeUint64,
  string,
  stringifyJson,
  time,
  uint32,
  uint64,
  when,
} from './index.ts'

const Inner = message('test.Inner', { a: field(1, int32), b: field(2, string), list: repeated(3, uint32) })
const Outer = message('test.Outer', {
  inner: field(1, Inner),
  maybe: optional(2, Inner),
  choice: oneof({ text: when(3, string), inner: when(4, Inner, 'test/Inner') }),
  items: repeated(5, Inner, { jsonNil: 'null' }),
  data: field(6, bytes, { jsonNil: 'null' }),
})
const Numbers = message('test.Numbers', {
  height: field(1, safeInt64),
  big: field(2, int64),
  unsigned: field(3, safeUint64),
  wide: field(4, uint64),
  small: field(5, int32),
  kind: field(6, enumeration<0 | 1>()),
})
const Times = message('test.Times', { at: field(1, time), lasts: field(2, duration) })

const hex = (text: string): Uint8Array => Uint8Array.from(text.split(' '), (digits) => Number.parseInt(digits, 16))

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof SchemaError) return error.code
    throw error
  }
  return 'none'
}

describe('wire', () => {
  test('default: embedded messages and set cases are always written, optional messages only if present', () => {
    expect(Outer.encode(Outer.create())).toEqual(hex('0a 00'))
    expect(Outer.encode(Outer.create({ maybe: Inner.zero }))).toEqual(hex('0a 00 12 00'))
    expect(Outer.encode(Outer.create({ choice: { case: 'text', value: '' } }))).toEqual(hex('0a 00 1a 00'))
    expect(Inner.encodeDelimited(Inner.create({ list: [1, 300] }))).toEqual(hex('05 1a 03 01 ac 02'))
  })

  test('behavior: a repeated field is merged if it is a message, appended if it is a list, and otherwise replaced', () => {
    const twice = Outer.decode(hex('0a 02 08 01 0a 03 12 01 61 12 02 08 05 12 03 12 01 62'))
    expect(twice.inner).toEqual(Inner.create({ a: 1, b: 'a' }))
    expect(twice.maybe).toEqual(Inner.create({ a: 5, b: 'b' }))
    expect(Inner.decode(hex('18 01 1a 02 02 03 08 01 08 02'))).toEqual(Inner.create({ a: 2, list: [1, 2, 3] }))
    expect(Outer.decode(hex('22 02 08 01 22 03 12 01 61')).choice?.value).toEqual(Inner.create({ b: 'a' }))
    // Decoding must not change the zero value that all messages share.
    expect(Inner.zero).toEqual({ a: 0, b: '', list: [] })
    expect(Outer.decode(hex('0a 00')).items).toBe(NO_ITEMS)
  })

  test('behavior: long varints are cut as gogoproto cuts them', () => {
    expect(Inner.decode(hex('08 ff ff ff ff ff ff ff ff ff 7f')).a).toBe(-1)
    expect(Inner.decode(hex('08 81 80 80 80 80 80 01')).a).toBe(1)
    expect(Numbers.decode(hex('10 ff ff ff ff ff ff ff ff ff 01')).big).toBe(-1n)
    expect(Numbers.decode(hex('20 ff ff ff ff ff ff ff ff ff 01')).wide).toBe(2n ** 64n - 1n)
  })

  test.each([
    ['a varint of eleven bytes', '08 ff ff ff ff ff ff ff ff ff ff 01', SCHEMA_ERRORS.varintOverflow],
    ['a cut varint', '08 80', SCHEMA_ERRORS.truncated],
    ['a cut message', '0a 05 08', SCHEMA_ERRORS.truncated],
    ['a length of 64 bits', '0a 80 80 80 80 10', SCHEMA_ERRORS.truncated],
    ['a negative length', '0a ff ff ff ff ff ff ff ff ff 01', SCHEMA_ERRORS.truncated],
    ['field 0', '00 00', SCHEMA_ERRORS.illegalTag],
    ['the end of no group', '0c', SCHEMA_ERRORS.illegalTag],
    ['a group without end', '7b 7b 7c', SCHEMA_ERRORS.truncated],
    ['an illegal wire type', '7e', SCHEMA_ERRORS.wireType],
    ['a wrong wire type', '08 01', SCHEMA_ERRORS.wireType],
    ['a field of the inner message beyond its end', '0a 02 12 05 61 62 63 64 65', SCHEMA_ERRORS.truncated],
  ])('error: %s', (_, text, code) => {
    const schema = text.startsWith('08') && code !== SCHEMA_ERRORS.wireType ? Inner : Outer
    expect(codeOf(() => schema.decode(hex(text)))).toBe(code)
  })

  test('error: numbers that do not fit are refused', () => {
    expect(codeOf(() => Numbers.decode(hex('08 80 80 80 80 80 80 80 10')))).toBe(SCHEMA_ERRORS.unsafeInteger)
    expect(codeOf(() => Numbers.decode(hex('18 ff ff ff ff ff ff ff ff ff 01')))).toBe(SCHEMA_ERRORS.unsafeInteger)
    expect(codeOf(() => Numbers.encode(Numbers.create({ height: 0.5 })))).toBe(SCHEMA_ERRORS.unsafeInteger)
    expect(codeOf(() => Numbers.encode(Numbers.create({ unsigned: -1 })))).toBe(SCHEMA_ERRORS.value)
    expect(codeOf(() => Numbers.encode(Numbers.create({ big: 2n ** 63n })))).toBe(SCHEMA_ERRORS.value)
    expect(codeOf(() => Numbers.encode(Numbers.create({ wide: -1n })))).toBe(SCHEMA_ERRORS.value)
  })

  test('behavior: times and durations are read back equal within their limits, and refused beyond them', () => {
    const value = { at: -1n, lasts: -1_500_000_000n }
    expect(Times.decode(Times.encode(value))).toEqual(value)
    expect(Times.encode({ at: 0n, lasts: 0n })).toEqual(hex('0a 00 12 00'))
    const year10000 = 253_402_300_800_000_000_000n
    expect(codeOf(() => Times.encode({ at: year10000, lasts: 0n }))).toBe(SCHEMA_ERRORS.value)
    // These encodings are refused: a time with a billion nanoseconds, a time with -1 nanoseconds, and a duration whose
    // seconds and nanoseconds have different signs. The encoding after the loop has a text in place of the seconds.
    for (const text of [
      '0a 06 10 80 94 eb dc 03',
      '0a 0b 10 ff ff ff ff ff ff ff ff ff 01',
      '12 0d 08 01 10 ff ff ff ff ff ff ff ff ff 01',
    ]) {
      expect(codeOf(() => Times.decode(hex(text)))).toBe(SCHEMA_ERRORS.value)
    }
    expect(codeOf(() => Times.decode(hex('0a 02 0a 00')))).toBe(SCHEMA_ERRORS.wireType)
  })

  test('behavior: bytes of a Buffer are read as plain Uint8Arrays', () => {
    const { data } = Outer.decode(Buffer.from('320161', 'hex'))
    expect(Object.getPrototypeOf(data)).toBe(Uint8Array.prototype)
    expect(data).toEqual(Uint8Array.of(0x61))
  })
})

describe('JSON', () => {
  test('default: JSON has the names, the nil and empty values and the tagged cases of the reference', () => {
    expect(Outer.toJson(Outer.create())).toEqual({
      inner: { a: 0, b: '', list: [] },
      maybe: null,
      choice: null,
      items: null,
      data: null,
    })
    const there = Outer.create({ items: [], data: new Uint8Array(0), choice: { case: 'inner', value: Inner.zero } })
    expect(Outer.toJson(there)).toMatchObject({
      choice: { type: 'test/Inner', value: { a: 0 } },
      items: [],
      data: '',
    })
    expect(Outer.fromJson({ data: null }).data).toBe(EMPTY_BYTES)
    expect(Numbers.toJson(Numbers.create({ height: 5, big: -1n, small: 3 }))).toEqual({
      height: '5',
      big: '-1',
      unsigned: '0',
      wide: '0',
      small: 3,
      kind: 0,
    })
  })

  test('default: text is escaped as Go escapes it', () => {
    expect(stringifyJson({ a: '<&>\u2028', b: 'x\udcffy', c: '\\udcff', d: '☃' })).toBe(
      String.raw`{"a":"\u003c\u0026\u003e\u2028","b":"x\ufffdy","c":"\\udcff","d":"☃"}`,
    )
    expect(stringifyJson([1], '  ')).toBe('[\n  1\n]')
  })

  test('error: the error has the path of the value that does not fit', () => {
    const message = (run: () => unknown): string => {
      try {
        run()
        return ''
      } catch (error) {
        expect(error).toBeInstanceOf(SchemaError)
        return (error as Error).message
      }
    }
    expect(message(() => Outer.fromJson({ items: [{ a: 1 }, { a: 'x' }] }))).toBe('items[1].a: expected an integer')
    expect(message(() => Outer.fromJson({ inner: 5 }))).toContain('inner: expected an object')
    expect(message(() => Outer.fromJson({ choice: { type: 'other' } }))).toContain('choice: expected')
    expect(message(() => Outer.fromJson({ data: '!' }))).toBe('data: expected base64')
    expect(message(() => Numbers.fromJson({ height: 5 }))).toBe('height: expected an integer in a string')
    expect(message(() => Numbers.fromJson({ big: '9223372036854775808' }))).toBe('big: expected an integer of 64 bits')
    expect(isJsonObject([])).toBe(false)
  })
})

describe('limits', () => {
  const List = message('test.List', { inners: repeated(1, Inner), texts: repeated(2, string), one: field(3, Inner) })
  const value = List.create({
    inners: [Inner.create({ list: [1, 2, 300] }), Inner.create({})],
    texts: ['a', '', ''],
    one: Inner.create({ a: 1 }),
  })
  // The items of `value`. Each of the two messages in the list counts twice: as an element of a list, and as a nested
  // message. The three packed numbers, the three texts, and the message outside of the list count once each.
  const ITEMS = 2 * 2 + 3 + 3 + 1

  test('behavior: elements and nested messages are counted, at every depth', () => {
    const bytes = List.encode(value)
    expect(List.decode(bytes, { maxItems: ITEMS })).toEqual(value)
    expect(List.decode(bytes)).toEqual(value)
    const counts: number[] = []
    List.decode(bytes, { maxItems: 1000, onItems: (items) => void counts.push(items) })
    expect(counts).toEqual([ITEMS])
  })

  test('error: refuses one item above the limit, at any place', () => {
    const bytes = List.encode(value)
    for (let maxItems = 0; maxItems < ITEMS; maxItems++) {
      expect(() => List.decode(bytes, { maxItems })).toThrow(
        expect.objectContaining({
          code: SCHEMA_ERRORS.tooManyItems,
          data: expect.objectContaining({ limit: maxItems }),
        }),
      )
    }
    expect(() => List.decode(bytes, { maxItems: ITEMS - 1 })).toThrow(`more than ${ITEMS - 1} elements`)
  })

  test('error: a message in many short parts does not compute a field from its list again and again', () => {
    let visited = 0
    const Sum = message(
      'test.Sum',
      { numbers: repeated(1, uint32), sum: field(2, uint32) },
      {
        derive: ({ numbers }) => {
          visited += numbers.length
          return { sum: numbers.reduce((a, b) => a + b, 0) }
        },
      },
    )
    const Whole = message('test.Whole', { part: optional(1, Sum) })
    const first = Whole.encode({ part: { numbers: Array.from({ length: 1000 }, () => 1), sum: 0 } })
    const emptyParts = (count: number): number[] => Array.from({ length: count }, () => [10, 0]).flat()
    const parts = (count: number): Uint8Array => Uint8Array.from([...first, ...emptyParts(count)])

    expect(Whole.decode(parts(2), { maxItems: 4000 }).part?.sum).toBe(1000)
    visited = 0
    expect(() => Whole.decode(parts(1000), { maxItems: 4000 })).toThrow(
      expect.objectContaining({ code: SCHEMA_ERRORS.tooManyItems }),
    )
    expect(visited).toBeLessThanOrEqual(4000)
  })
})

describe('writer', () => {
  test('default: nested messages of every length are written into a buffer that grows', () => {
    const Deep = message('test.Deep', { outer: field(1, Outer), tail: field(2, string) })
    for (const size of [0, 1, 100, 127, 128, 16_380, 16_383, 16_384, 70_000, 2_097_152]) {
      const data = new Uint8Array(size).fill(7)
      const text = 'é'.repeat(size >> 1)
      const value = Deep.create({ outer: Outer.create({ inner: Inner.create({ b: text }), data }), tail: 'x' })
      const bytes = Deep.encode(value)
      // The values are compared without `toEqual`, which is slow for large arrays.
      const read = Deep.decode(bytes)
      expect(read.tail).toBe('x')
      expect(read.outer.inner.b === text && read.outer.data.length === size).toBe(true)
      expect(read.outer.data.every((byte) => byte === 7)).toBe(true)
    }
  })
})
