import { SchemaError, stringifyJson } from '@org/types/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryOf } from '../arbitrary.ts'
import { ALL_SCHEMAS, type AnySchema } from '../schemas.ts'

/**
 * Returns true if the bytes are decoded, and false if the decoder throws a SchemaError. Any other error is a fault.
 * Also checks that a decoded value can be encoded, and that the encoding stays the same when it is decoded and encoded
 * again.
 */
function decodeOrRefuse(schema: AnySchema, bytes: Uint8Array): boolean {
  let value: unknown
  try {
    value = schema.decode(bytes)
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return false
  }
  const canonical = schema.encode(value)
  expect(schema.encode(schema.decode(canonical))).toEqual(canonical)
  stringifyJson(schema.toJson(value))
  return true
}

const mutation = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('flip', 'insert', 'delete', 'repeat', 'huge'),
  byte: fc.integer({ min: 0, max: 255 }),
})
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never

const HUGE_LENGTH = [0xff, 0xff, 0xff, 0xff, 0x0f]

function mutate(bytes: Uint8Array, { at, kind, byte }: Mutation): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(byte)
  const list = [...bytes]
  const index = at % bytes.length
  if (kind === 'flip') list[index] = byte
  else if (kind === 'insert') list.splice(index, 0, byte)
  else if (kind === 'delete') list.splice(index, 1)
  else if (kind === 'repeat') list.push(...list.slice(index))
  else list.splice(index, 1, ...HUGE_LENGTH)
  return Uint8Array.from(list)
}

describe.each(ALL_SCHEMAS.map((schema) => [schema.typeName, schema] as const))('%s', (_, schema) => {
  test('error: garbage is decoded, or refused with a SchemaError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        decodeOrRefuse(schema, bytes)
      }),
      { numRuns: 100 },
    )
  })

  test('error: truncated and mutated messages are decoded, or refused with a SchemaError', () => {
    fc.assert(
      fc.property(
        arbitraryOf(schema),
        fc.nat(),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        (value, cut, list) => {
          const bytes = schema.encode(value)
          decodeOrRefuse(schema, bytes.subarray(0, cut % (bytes.length + 1)))
          decodeOrRefuse(schema, list.reduce(mutate, bytes))
        },
      ),
      { numRuns: 40 },
    )
  })

  test('error: a length beyond the message is refused before anything is allocated', () => {
    for (const field of Object.values(schema.shape)) {
      for (const { number } of field.wire) {
        const tag = (number << 3) | 2
        const head = tag < 0x80 ? [tag] : [(tag & 0x7f) | 0x80, tag >>> 7]
        expect(decodeOrRefuse(schema, Uint8Array.from([...head, ...HUGE_LENGTH, 0]))).toBe(false)
        expect(decodeOrRefuse(schema, Uint8Array.from([...head, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0]))).toBe(false)
      }
    }
  })
})
