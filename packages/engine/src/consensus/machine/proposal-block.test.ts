import { type Block, MAX_PROPOSED_ITEMS } from '@org/types'
import { concatBytes } from '@org/types/bytes'
import { SCHEMA_ERRORS, SchemaError, Writer } from '@org/types/schema'
import { describe, expect, test } from 'vitest'
import { decodeCandidate } from './proposal-block.ts'

/** Returns an encoded field with this number and this content. */
function wrap(field: number, content: Uint8Array): Uint8Array {
  const head = new Writer()
  head.uint32((field << 3) | 2)
  head.uint32(content.length)
  return concatBytes(head.finish(), content)
}

/** Encodes a list of `count` empty elements. The encoding of an empty element is a tag and a zero length: two bytes. */
function empties(field: number, count: number): Uint8Array {
  const bytes = new Uint8Array(2 * count)
  for (let at = 0; at < bytes.length; at += 2) bytes[at] = (field << 3) | 2
  return bytes
}

function refusal(bytes: Uint8Array): SchemaError | Block {
  try {
    return decodeCandidate(bytes, MAX_PROPOSED_ITEMS).block
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  }
}

const COUNT = 11_000_000
const shapes: readonly (readonly [what: string, bytes: () => Uint8Array])[] = [
  ['transactions', () => wrap(2, empties(1, COUNT))],
  [
    'transactions, in lists of their own',
    () => {
      const lists = wrap(2, empties(1, 100))
      const bytes = new Uint8Array(lists.length * 100_000)
      for (let at = 0; at < bytes.length; at += lists.length) bytes.set(lists, at)
      return bytes
    },
  ],
  ['signatures of the last commit', () => wrap(4, empties(4, COUNT))],
  ['evidence', () => wrap(3, empties(1, COUNT))],
  ['signatures in evidence', () => wrap(3, wrap(1, wrap(2, wrap(1, wrap(1, wrap(2, empties(4, COUNT)))))))],
  ['validators in evidence', () => wrap(3, wrap(1, wrap(2, wrap(1, wrap(2, empties(1, COUNT))))))],
]

describe('a block of 22 MB of elements without a byte', () => {
  test.each(shapes)('error: %s: decoding stops at the limit', (_what, make) => {
    const error = refusal(make())
    expect(error).toMatchObject({ code: SCHEMA_ERRORS.tooManyItems, data: { limit: MAX_PROPOSED_ITEMS } })
    // `offset` is the number of bytes that the decoder read before it stopped. In the tested blocks, each item takes
    // two bytes, and each list takes a few bytes more. So an offset below three bytes for each allowed item shows that
    // the decoder read hardly more than the allowed number of items.
    expect((error as SchemaError).data.offset).toBeLessThan(3 * MAX_PROPOSED_ITEMS)
  })
})
