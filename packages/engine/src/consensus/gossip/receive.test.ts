import { makePartSet, type Part, SignedMsgType, Vote } from '@org/types'
import { concatBytes } from '@org/types/bytes'
import { ConsensusMessage } from '@org/types/messages'
import { Writer } from '@org/types/schema'
import { expect, test } from 'vitest'
import { decodeMessage } from './receive.ts'

const HASH = 32
const vote = (extension = new Uint8Array(0)): Vote =>
  Vote.create({
    type: SignedMsgType.precommit,
    height: 5,
    blockId: { hash: new Uint8Array(HASH).fill(1), partSetHeader: { total: 1, hash: new Uint8Array(HASH).fill(2) } },
    validatorAddress: new Uint8Array(20).fill(3),
    signature: new Uint8Array(64).fill(4),
    extension,
    extensionSignature: new Uint8Array(64).fill(5),
  })

/** Encodes a message whose innermost message has an unknown field of `size` bytes. */
function padded(fields: readonly number[], content: Uint8Array, size: number): Uint8Array {
  const field = (number: number, bytes: Uint8Array): Uint8Array => {
    const writer = new Writer()
    writer.uint32((number << 3) | 2)
    writer.uint32(bytes.length)
    return concatBytes(writer.finish(), bytes)
  }
  const inner = concatBytes(content, field(100, new Uint8Array(size)))
  return fields.reduceRight((bytes, number) => field(number, bytes), inner)
}

test('behavior: a vote keeps none of the worthless bytes that its peer added', () => {
  for (const size of [2_000, 1_000_000]) {
    const sum = decodeMessage(padded([6, 1], Vote.encode(vote()), size))
    expect(sum).toEqual({ case: 'vote', value: { vote: vote() } })
    const kept = sum.case === 'vote' ? sum.value.vote : undefined
    for (const bytes of [kept?.signature, kept?.validatorAddress, kept?.blockId.hash])
      expect(bytes?.buffer.byteLength).toBeLessThan(1024)
  }
})

test('behavior: a vote with a long extension, and a block part, are not copied', () => {
  const extension = new Uint8Array(500_000).fill(6)
  const [part] = makePartSet(new Uint8Array(60_000)).parts
  for (const sum of [
    { case: 'vote', value: { vote: vote(extension) } },
    { case: 'blockPart', value: { height: 5, round: 0, part: part as Part } },
  ] as const) {
    const bytes = ConsensusMessage.encode({ sum })
    const decoded = decodeMessage(bytes)
    const kept =
      decoded.case === 'vote'
        ? decoded.value.vote?.extension
        : decoded.case === 'blockPart'
          ? decoded.value.part.bytes
          : undefined
    expect(kept?.buffer).toBe(bytes.buffer)
  }
})
