import { stringifyJson } from '@org/types/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryOf } from './arbitrary.ts'
import { ALL_SCHEMAS } from './schemas.ts'

test('default: every message of the protocol has a schema', () => {
  expect(ALL_SCHEMAS.length).toBeGreaterThan(120)
})

describe.each(ALL_SCHEMAS.map((schema) => [schema.typeName, schema] as const))('%s', (_, schema) => {
  test('default: a value reads back equal from its bytes and from its JSON', () => {
    fc.assert(
      fc.property(arbitraryOf(schema), (value) => {
        const bytes = schema.encode(value)
        expect(schema.decode(bytes)).toEqual(value)
        const text = stringifyJson(schema.toJson(value))
        // If a message has only a oneof and no case is set, its JSON is `null`. This test does not read `null` back.
        if (text !== 'null') expect(schema.fromJson(JSON.parse(text))).toEqual(value)
      }),
      { numRuns: 30 },
    )
  })

  test('default: an empty message is decoded to the zero value, and unknown fields are skipped', () => {
    expect(schema.decode(new Uint8Array(0))).toEqual(schema.zero)
    expect(schema.create()).toEqual(schema.zero)
    // Unknown fields: field 1000 is a varint, field 1001 has bytes, and field 1002 is a group in a group.
    const unknown = [0xc0, 0x3e, 0x05, 0xca, 0x3e, 0x02, 0xff, 0xff, 0xd3, 0x3e, 0xdb, 0x3e, 0xdc, 0x3e, 0xd4, 0x3e]
    expect(schema.decode(Uint8Array.from(unknown))).toEqual(schema.zero)
  })
})
