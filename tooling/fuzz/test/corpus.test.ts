import { isCodedError } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import { loadCorpus } from '../src/decode/corpus.ts'
import { faultOf } from '../src/decode/decoder.ts'
import { DECODERS } from '../src/decode/decoders/index.ts'
import { mutate } from '../src/decode/mutate.ts'
import { createRandomSource } from '../src/decode/random-source.ts'

const MUTATED = 1500

describe('each decoder accepts each input or refuses it with a coded error', () => {
  test.each(DECODERS.map((decoder) => [decoder.name, decoder] as const))('%s', (name, decoder) => {
    const corpus = loadCorpus(name)
    expect(corpus.length).toBeGreaterThan(5)
    for (const input of corpus) expect(faultOf(decoder, input), Buffer.from(input).toString('base64')).toBe(undefined)
    const random = createRandomSource(7)
    for (let i = 0; i < MUTATED; i++) {
      const input = mutate(decoder, [random.pick(corpus), random.pick(corpus)], random)
      expect(faultOf(decoder, input), Buffer.from(input).toString('base64')).toBe(undefined)
    }
  })
})

test('behavior: the corpus has accepted and refused inputs', () => {
  // If the decoders accepted every input, or refused every input, the test above would prove nothing.
  const total = { taken: 0, refused: 0 }
  for (const decoder of DECODERS) {
    for (const input of loadCorpus(decoder.name)) {
      try {
        decoder.read(input)
        total.taken++
      } catch (error) {
        expect(isCodedError(error) || decoder.isExpected?.(error)).toBe(true)
        total.refused++
      }
    }
  }
  expect(total.taken).toBeGreaterThan(500)
  expect(total.refused).toBeGreaterThan(500)
})
