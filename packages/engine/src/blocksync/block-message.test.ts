import { SCHEMA_ERRORS, type SchemaError } from '@org/types/schema'
import { expect, test } from 'vitest'
import { decodeMessage } from './block-message.ts'

const LIMIT = 1000

/**
 * Returns an encoded field with the field number `field`. `content` has at most 2 MiB, because its length is written in
 * three bytes.
 */
function wrap(field: number, content: Uint8Array): Uint8Array {
  const { length } = content
  const head = [(field << 3) | 2, (length & 0x7f) | 0x80, ((length >>> 7) & 0x7f) | 0x80, length >>> 14]
  return Uint8Array.of(...head, ...content)
}

/** Returns a message of 64 KiB that consists of empty fields. All fields have the field number `field`. */
function empties(field: number): Uint8Array {
  return new Uint8Array(65_536).map((_, at) => (at % 2 === 0 ? (field << 3) | 2 : 0))
}

const shapes: readonly (readonly [what: string, bytes: Uint8Array])[] = [
  ['answers', empties(3)],
  ['blocks', wrap(3, empties(1))],
  ['headers', wrap(3, wrap(1, empties(1)))],
  ['transactions', wrap(3, wrap(1, wrap(2, empties(1))))],
  ['evidence', wrap(3, wrap(1, wrap(3, empties(1))))],
  ['last commits', wrap(3, wrap(1, empties(4)))],
  ['signatures', wrap(3, wrap(1, wrap(4, empties(4))))],
  ['extended commits', wrap(3, empties(2))],
  ['signatures of an extended commit', wrap(3, wrap(2, empties(4)))],
]

test.each(shapes)('error: decoding of a message that has only %s stops at the limit', (_what, bytes) => {
  let error: unknown
  try {
    decodeMessage(bytes, LIMIT)
  } catch (caught) {
    error = caught
  }
  expect(error).toMatchObject({ code: SCHEMA_ERRORS.tooManyItems })
  // Each item of the tested messages takes two bytes. The decoder allows `LIMIT` items in the block. In addition, it
  // allows 20,100 items outside of the block: two items for each of the 10,000 signatures that an extended commit may
  // have, and 100 for everything else.
  const { offset } = (error as SchemaError).data as { offset: number }
  expect(offset).toBeLessThan(2 * (LIMIT + 20_100) + 20)
})
