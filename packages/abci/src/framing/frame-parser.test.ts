import { Request } from '@org/types/abci'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ABCI_ERRORS } from '../errors.ts'
import { createFrameParser } from './frame-parser.ts'
import { createFrameWriter } from './frame-writer.ts'

function parse(chunks: readonly Uint8Array[], limit = 1 << 20): number[][] {
  const parser = createFrameParser(limit)
  const frames: number[][] = []
  for (const chunk of chunks) parser.push(chunk, (frame) => void frames.push([...frame]))
  return frames
}

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length))
}

describe('default', () => {
  test('frames read back equal for any division of the stream into pieces', () => {
    const frames = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 })
    fc.assert(
      fc.property(frames, fc.array(fc.nat(5000)), (sent, cuts) => {
        const stream = sent.flatMap((frame) =>
          frame.length < 128 ? [frame.length, ...frame] : [(frame.length & 0x7f) | 0x80, frame.length >> 7, ...frame],
        )
        expect(parse(split(Uint8Array.from(stream), cuts))).toEqual(sent.map((frame) => [...frame]))
      }),
    )
  })

  test('the writer joins several messages into one buffer', () => {
    const writer = createFrameWriter(Request)
    writer.add({ value: { case: 'echo', value: { message: 'a' } } })
    writer.add({ value: { case: 'flush', value: {} } })
    expect(writer.drain().map((slab) => [...slab])).toEqual([[5, 10, 3, 10, 1, 97, 2, 18, 0]])
    expect(writer.drain()).toEqual([])
  })

  test('a message that cannot be encoded adds no bytes', () => {
    const writer = createFrameWriter(Request)
    const query = { data: new Uint8Array(3), path: 'x', height: 2 ** 60, prove: false }
    writer.add({ value: { case: 'flush', value: {} } })
    expect(() => writer.add({ value: { case: 'query', value: query } })).toThrow()
    writer.add({ value: { case: 'flush', value: {} } })
    expect(writer.drain().flatMap((slab) => [...slab])).toEqual([2, 18, 0, 2, 18, 0])
  })
})

describe('behavior', () => {
  test('a length that is encoded with more bytes than it needs is read, as in Go', () => {
    expect(parse([Uint8Array.of(0x81, 0x80, 0x00, 7)])).toEqual([[7]])
  })

  test('the bytes of an incomplete frame are counted', () => {
    const parser = createFrameParser(100)
    parser.push(Uint8Array.of(5, 1, 2), () => undefined)
    expect(parser.buffered()).toBe(2)
  })
})

describe('error', () => {
  test('a frame over the limit is refused when its length is read', () => {
    const code = ABCI_ERRORS.frameTooLarge
    expect(() => parse([Uint8Array.of(11)], 10)).toThrowError(expect.objectContaining({ code }))
    expect(() => parse([Uint8Array.of(0xff, 0xff), Uint8Array.of(0xff, 0x7f)], 10)).toThrowError(
      expect.objectContaining({ code }),
    )
    expect(parse([Uint8Array.of(1, 9)], 1)).toEqual([[9]])
  })

  test('a length over 64 bits is refused', () => {
    const overlong = [...Array.from({ length: 9 }, () => 0xff), 2]
    expect(() => parse([Uint8Array.from(overlong)])).toThrowError(
      expect.objectContaining({ code: ABCI_ERRORS.badFrame }),
    )
  })

  test('garbage leads to frames or a coded error, within the memory of the received bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.nat(2000)), (bytes, cuts) => {
        try {
          const total = parse(split(bytes, cuts), 1000).reduce((sum, frame) => sum + frame.length, 0)
          expect(total).toBeLessThanOrEqual(bytes.length)
        } catch (error) {
          expect([ABCI_ERRORS.frameTooLarge, ABCI_ERRORS.badFrame]).toContain((error as { code?: string }).code)
        }
      }),
    )
  })
})
