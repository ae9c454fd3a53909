import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EventFrame, eventFrame, type FrameBundle } from './frame-bundle.ts'

const encoder = new TextEncoder()
const frame = (before: string, body: string): EventFrame => eventFrame(encoder.encode(before), encoder.encode(body))
const bundleOf = ([first, ...more]: readonly EventFrame[]): FrameBundle =>
  more.reduce((bundle, one) => bundle.and(one), (first as EventFrame).bundle)
const bytesOf = (bundle: FrameBundle): Buffer => Buffer.concat(bundle.takeBuffers())

describe('frame bundles', () => {
  test('default: a bundle has the frames that were given, in order', () => {
    const frames = ['', 'b', 'c'.repeat(125), 'd'.repeat(70_000)].map((body) => frame('a', body))
    const runs = fc.array(fc.constantFrom(...frames), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(runs, { minLength: 1, maxLength: 6 }), (connections) => {
        for (const given of connections) {
          const bundle = bundleOf(given)
          const expected = Buffer.concat(given.flatMap(({ head, body }) => [head, body]))
          expect([bundle.count, bundle.size]).toEqual([given.length, expected.length])
          expect(bytesOf(bundle).equals(expected)).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    [125, '817d'],
    [126, '817e007e'],
    [65_535, '817effff'],
    [65_536, '817f0000000000010000'],
  ])('default: a bundle begins with the head of a message of %i bytes', (length, head) => {
    expect(Buffer.from(frame('ab', 'c'.repeat(length - 2)).head).toString('hex')).toBe(`${head}6162`)
  })

  test('behavior: connections with the same frames share the written bytes', () => {
    const frames = Array.from({ length: 50 }, (_, i) => frame('{', `${i}}`))
    const [first, second] = [bundleOf(frames), bundleOf(frames)]
    expect(second).toBe(first)
    expect(second.takeBuffers()[0]).toBe(first.takeBuffers()[0])
    expect(first.takeBuffers()).toHaveLength(1)
  })

  test('behavior: a large frame that is not shared is not copied', () => {
    const large = frame('{', `${'x'.repeat(10_000)}}`)
    expect(large.bundle.takeBuffers()).toEqual([large.head, large.body])
    const [whole] = large.bundle.takeBuffers()
    expect(large.bundle.takeBuffers()[0]).toBe(whole)
    expect(whole).toHaveLength(large.bundle.size)
  })
})
