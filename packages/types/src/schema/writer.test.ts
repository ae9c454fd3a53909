import fc from 'fast-check'
import protobuf from 'protobufjs/minimal.js'
import { expect, test } from 'vitest'
import { utf8ToBytes } from '../bytes/index.ts'
import { Writer } from './writer.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n })
const safe = fc.maxSafeInteger()
const size = fc.oneof(
  { weight: 20, arbitrary: fc.nat({ max: 300 }) },
  { weight: 1, arbitrary: fc.nat({ max: 40_000 }) },
)

/** What may be written; a list is a message. */
type Item =
  | readonly ['uint32' | 'int32' | 'safeInt' | 'safeFixed64', number]
  | readonly ['bigint' | 'bigintFixed64', bigint]
  | readonly ['bool', boolean]
  | readonly ['string', string]
  | readonly ['bytes', Uint8Array]
  | readonly ['message', readonly Item[]]

const { items } = fc.letrec<{ item: Item; items: readonly Item[] }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(fc.constant('uint32' as const), fc.nat({ max: 2 ** 32 - 1 })),
    fc.tuple(fc.constant('int32' as const), fc.integer()),
    fc.tuple(fc.constantFrom('safeInt' as const, 'safeFixed64' as const), safe),
    fc.tuple(fc.constant('bigint' as const), int64),
    fc.tuple(fc.constant('bigintFixed64' as const), int64),
    fc.tuple(fc.constant('bool' as const), fc.boolean()),
    fc.tuple(fc.constant('string' as const), fc.string({ unit: 'grapheme', maxLength: 80 })),
    fc.tuple(
      fc.constant('bytes' as const),
      size.map((length) => new Uint8Array(length).fill(length)),
    ),
    fc.tuple(fc.constant('message' as const), tie('items')),
  ),
  items: fc.array(tie('item'), { maxLength: 12 }),
}))

function write(writer: Writer, given: readonly Item[]): void {
  for (const [kind, value] of given) {
    if (kind === 'message') {
      writer.begin()
      write(writer, value)
      writer.end()
    } else (writer[kind] as (value: unknown) => void).call(writer, value)
  }
}

const halves = (value: bigint): never =>
  ({ low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)), unsigned: false }) as never

/** The same, by protobufjs. */
function writeWithProtobufjs(writer: protobuf.Writer, given: readonly Item[]): void {
  for (const [kind, value] of given) {
    if (kind === 'message') {
      writer.fork()
      writeWithProtobufjs(writer, value)
      writer.ldelim()
    } else if (kind === 'safeInt') writer.int64(halves(BigInt(value)))
    else if (kind === 'safeFixed64') writer.sfixed64(halves(BigInt(value)))
    else if (kind === 'bigint') writer.int64(halves(value))
    else if (kind === 'bigintFixed64') writer.sfixed64(halves(value))
    else (writer[kind] as (value: unknown) => void).call(writer, value)
  }
}

test('property: the bytes are those of protobufjs, whatever is written, and whoever writes meanwhile', () => {
  fc.assert(
    fc.property(items, items, (one, other) => {
      const [first, second] = [new Writer(), new Writer()]
      // Both have begun before one ends.
      first.bool(true)
      write(second, other)
      write(first, one)
      const [a, b] = [first.finish(), second.finish()]
      const [wantedA, wantedB] = [new protobuf.Writer(), new protobuf.Writer()]
      wantedA.bool(true)
      writeWithProtobufjs(wantedA, one)
      writeWithProtobufjs(wantedB, other)
      expect(a).toEqual(wantedA.finish())
      expect(b).toEqual(wantedB.finish())
    }),
    { numRuns: 300 },
  )
})

test('behavior: text that is not well-formed carries the bytes that it stands for', () => {
  for (const text of ['\udc80', `${'long '.repeat(20)}\udcff`]) {
    const writer = new Writer()
    writer.string(text)
    const bytes = utf8ToBytes(text)
    expect(writer.finish()).toEqual(Uint8Array.of(bytes.length, ...bytes))
  }
})

test('behavior: messages that were begun are forgotten, those before stay', () => {
  const writer = new Writer()
  writer.uint32(7)
  writer.begin()
  writer.bytes(new Uint8Array(9000))
  writer.begin()
  writer.abandon()
  expect(writer.size).toBe(1)
  writer.uint32(8)
  expect(writer.finish()).toEqual(Uint8Array.of(7, 8))
})

test('behavior: what was written stays as it is, whatever is written later', () => {
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const written = sizes.map((length, i) => {
        const writer = new Writer()
        writer.bytes(new Uint8Array(length).fill(i))
        return writer.finish()
      })
      for (const [i, bytes] of written.entries()) {
        const length = sizes[i] as number
        expect(bytes.subarray(bytes.length - length)).toEqual(new Uint8Array(length).fill(i))
      }
    }),
    { numRuns: 30 },
  )
})
