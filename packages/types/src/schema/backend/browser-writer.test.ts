import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WireWriter as BrowserWriter } from './browser-writer.ts'
import { WireWriter } from './protobufjs-writer.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const step = fc.oneof(
  fc.record({ call: fc.constant('uint32' as const), value: fc.nat(2 ** 32 - 1) }),
  fc.record({ call: fc.constant('int32' as const), value: fc.integer() }),
  fc.record({ call: fc.constant('bool' as const), value: fc.boolean() }),
  fc.record({ call: fc.constant('int64' as const), value: fc.maxSafeInteger() }),
  fc.record({ call: fc.constant('sfixed64' as const), value: fc.maxSafeInteger() }),
  fc.record({ call: fc.constant('halves' as const), value: int64 }),
  fc.record({ call: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 400 }) }),
  fc.record({ call: fc.constant('string' as const), value: fc.string({ unit: 'grapheme', maxLength: 200 }) }),
  fc.record({ call: fc.constant('begin' as const), value: fc.constant(0) }),
  fc.record({ call: fc.constant('end' as const), value: fc.constant(0) }),
  fc.record({ call: fc.constant('abandon' as const), value: fc.constant(0) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
type AnyWriter = InstanceType<typeof WireWriter>

function halves(value: bigint): never {
  const low = Number(BigInt.asIntN(32, value))
  const high = Number(BigInt.asIntN(32, value >> 32n))
  return { low, high, unsigned: false } as never
}

function write(writer: AnyWriter, steps: readonly Step[]): Uint8Array {
  let depth = 0
  for (const { call, value } of steps) {
    if (call === 'halves') {
      writer.int64(halves(value))
      writer.sfixed64(halves(value))
    } else if (call === 'begin') {
      writer.fork()
      depth++
    } else if (call !== 'end' && call !== 'abandon') {
      writer[call](value as never)
    } else if (depth > 0) {
      depth--
      if (call === 'end') writer.ldelim()
      else writer.reset()
    }
  }
  for (; depth > 0; depth--) writer.ldelim()
  expect(writer.len).toBe(writer.finish().length)
  return writer.finish()
}

test('default: the writer for browsers writes the same bytes as protobufjs', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const browser = write(new BrowserWriter() as unknown as AnyWriter, steps)
      expect(Buffer.from(browser).toString('hex')).toBe(Buffer.from(write(new WireWriter(), steps)).toString('hex'))
    }),
    { numRuns: 2000 },
  )
})

test('default: a reset writer writes the next message into its buffer', () => {
  const writer = new BrowserWriter()
  writer.string('first')
  const first = writer.finish()
  writer.reset()
  writer.uint32(7)
  expect([[...first].length, [...writer.finish()]]).toEqual([6, [7]])
})
